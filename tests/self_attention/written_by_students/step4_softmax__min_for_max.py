# The cause: the smallest score is subtracted, which stops no overflow.
import numpy as np


def softmax(scores):
    # shift so that nothing is too large
    lowest = np.min(scores, axis=-1, keepdims=True)
    e = np.exp(scores - lowest)
    s = np.sum(e, axis=-1, keepdims=True)
    return e / s
