"""Step 2: how well does each query match each key?

Conventions: row = query, column = key; "..." is any number of leading batch axes, none included.
"""

import numpy as np

Array = np.ndarray


def attention_scores(q: Array, k: Array) -> Array:
    """Compare every query with every key by their dot product.

    A dot product is large where two vectors point the same way, and it needs no parameters.
    All pairs at once are one matrix product (Vaswani et al. 2017, section 3.2.1).

        S = Q K^T,  so S[i, j] = q_i · k_j

    There may be more queries than keys, or fewer. No scaling yet: that is step 3. The
    arguments' values are not modified. The result is never narrower than the inputs;
    integers may stay integers.

    Args:
        q: (..., n_q, d_k), one query a row.
        k: (..., n_k, d_k), one key a row.

    Returns:
        (..., n_q, n_k), row = query, column = key.
    """
    raise NotImplementedError("step 2: attention_scores")
