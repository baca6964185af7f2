# The cause: axis=0, the queries without batch axes, and the batch with one.
import numpy as np


def softmax(scores):
    shifted = scores - np.max(scores, axis=0)
    e_x = np.exp(shifted)
    return e_x / np.sum(e_x, axis=0)
