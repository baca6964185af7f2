# The cause: the row maxima lose their axis and are subtracted along the columns.
import numpy as np
import sys

Array = np.ndarray


def softmax(scores: Array) -> Array:
    safe = scores - scores.max(-1)
    unnormalised = np.exp(safe)
    total = unnormalised.sum(-1, keepdims=True)
    weights = unnormalised / total
    return weights
