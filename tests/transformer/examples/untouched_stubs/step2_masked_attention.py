"""Step 2: attention that looks only where a mask allows it.

Conventions: row = query, column = key; a mask is boolean, True = may attend; "..." is any number of
leading batch axes, none included.
"""

import math

import torch
from torch import Tensor


def scaled_dot_product_attention(
    q: Tensor, k: Tensor, v: Tensor, mask: Tensor | None = None
) -> tuple[Tensor, Tensor]:
    """Mix the values of the keys that each query may attend to, by how well they match.

    A key that is hidden has weight 0, and the others share the weight as if it were not there: that
    is what a score of -inf does in a softmax (Vaswani et al. 2017, sections 3.2.1 and 3.2.3).

        output = softmax(Q K^T / √d_k, hidden scores at -inf) V

    A query that may attend to nothing has weights 0 and output 0, and no gradient comes from it;
    never NaN, in values or in gradients. torch's own function agrees for a boolean mask.

    The arguments' values are not modified. Results have the dtype and the device of the inputs, and
    gradients flow to q, k and v. Write it out: torch's function for it is not allowed here.

    Args:
        q: (..., n_q, d_k), one query a row.
        k: (..., n_k, d_k), one key a row.
        v: (..., n_k, d_v), one value a row.
        mask: boolean, broadcast to the scores (..., n_q, n_k), such as (n_q, n_k) or
            (batch, 1, n_k); True = may attend; None: every query attends to every key.

    Returns:
        output: (..., n_q, d_v), the mixed values.
        weights: (..., n_q, n_k), row = query, column = key; rows sum to 1, or to 0 where a query
            may attend to nothing.
    """
    raise NotImplementedError("step 2: scaled_dot_product_attention")
