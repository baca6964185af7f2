# The cause: V A instead of A V.
import numpy as np


def attention_output(weights, v):
    out = np.matmul(v, weights)
    return out
