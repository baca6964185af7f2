# The cause: the sum has no axis, so that all weights together sum to 1, not each row.
import numpy as np


def softmax(scores):
    # numerically stable version
    m = np.max(scores, axis=-1, keepdims=True)
    e = np.exp(scores - m)
    return e / e.sum()
