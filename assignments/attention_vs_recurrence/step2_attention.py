"""Step 2: self-attention lets every token look at all tokens at once.

Conventions: one token is one ROW of x; in weights, row = query, column = key; "..." is any number
of leading batch axes, none included.
"""

import math

import torch

Tensor = torch.Tensor


def self_attention(x: Tensor, w_q: Tensor, w_k: Tensor, w_v: Tensor) -> tuple[Tensor, Tensor]:
    """Let every token take what it looks for from all tokens of its own sequence.

    No token waits for another: a few matrix products treat all of them at once, and any two are
    one step apart. There is no loop over the tokens: how many operations are called does not
    depend on n (lesson; Vaswani et al. 2017, sections 3.2.1 and 4).

        Q = X W^Q,  K = X W^K,  V = X W^V,   A = softmax(Q K^T / √d_k),   output = A V

    n, d_model, d_k and d_v may all differ; scores may be of any size. The arguments' values are
    not modified. Results have the dtype and the device of x, and gradients flow, from both
    results to every argument that has a part in it.

    Args:
        x: (..., n, d_model), one token a row.
        w_q: (d_model, d_k), the query weights.
        w_k: (d_model, d_k), the key weights.
        w_v: (d_model, d_v), the value weights.

    Returns:
        output: (..., n, d_v).
        weights: (..., n, n), row = query, column = key; rows sum to 1.
    """
    raise NotImplementedError("step 2: self_attention")
