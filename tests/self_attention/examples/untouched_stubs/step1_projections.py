"""Step 1: each token asks with a query, answers to a key and carries a value.

Conventions: one token is one ROW of x; "..." is any number of leading batch axes, none included.
"""

import numpy as np

Array = np.ndarray


def project_qkv(x: Array, w_q: Array, w_k: Array, w_v: Array) -> tuple[Array, Array, Array]:
    """Turn every token into its query, its key and its value.

    One vector cannot say at once what a token looks for, what it can be found by and what it
    passes on; three learned matrices give it three roles. There are no biases, and a token's
    projections do not depend on the other tokens (Vaswani et al. 2017, section 3.2).

        Q = X W^Q,  K = X W^K,  V = X W^V

    d_model, d_k and d_v may all differ. The arguments' values are not modified. Results are
    never narrower than the inputs; integers may stay integers.

    Args:
        x: (..., n, d_model), one token a row.
        w_q: (d_model, d_k), the query weights.
        w_k: (d_model, d_k), the key weights.
        w_v: (d_model, d_v), the value weights.

    Returns:
        q: (..., n, d_k), one query a row.
        k: (..., n, d_k), one key a row.
        v: (..., n, d_v), one value a row.
    """
    raise NotImplementedError("step 1: project_qkv")
