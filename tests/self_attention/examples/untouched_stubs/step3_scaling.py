"""Step 3: dividing by √d_k keeps the spread of the scores near 1.

Conventions: row = query, column = key; "..." is any number of leading batch axes, none included.
"""

import math

import numpy as np

Array = np.ndarray


def scale_scores(scores: Array, d_k: int) -> Array:
    """Divide by √d_k, so that wide keys do not sharpen the softmax.

    A dot product of d_k unit-variance pairs has variance d_k; dividing by its root brings the
    variance back to 1, where softmax still has a gradient (Vaswani et al. 2017, section 3.2.1).

        scaled = S / √d_k

    The arguments' values are not modified. Integers come in, floating point goes out; the
    result is never narrower than the input, and wider is right.

    Args:
        scores: (..., n_q, n_k), row = query, column = key; finite or -inf.
        d_k: width of ONE key, at least 1.

    Returns:
        (..., n_q, n_k), floating point.
    """
    raise NotImplementedError("step 3: scale_scores")
