"""Step 5: each query's output is a weighted mean of the values.

Conventions: row = query, column = key; "..." is any number of leading batch axes, none included.
"""

import numpy as np

Array = np.ndarray


def attention_output(weights: Array, v: Array) -> Array:
    """Mix the values, each query with its own row of weights.

    A look-up that returned only the best match would have no gradient; a weighted mean is a
    soft look-up, and it is the hard one when a row of weights is one-hot (lesson; Vaswani et
    al. 2017, section 3.2.1).

        output = A V,  so output_i = Σ_j A[i, j] v_j

    The arguments' values are not modified. The result is floating point, never narrower than
    the inputs, and wider is right.

    Args:
        weights: (..., n_q, n_k), row = query, column = key; rows sum to 1.
        v: (..., n_k, d_v), one value a row.

    Returns:
        (..., n_q, d_v), floating point.
    """
    raise NotImplementedError("step 5: attention_output")
