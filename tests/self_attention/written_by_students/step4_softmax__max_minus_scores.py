# The cause: the difference is the wrong way round, so that the smallest score gets most weight.
import numpy as np


def softmax(scores):
    top = np.max(scores, axis=-1, keepdims=True)
    e = np.exp(top - scores)
    return e / np.sum(e, axis=-1, keepdims=True)
