# The cause: a small number added to the denominator; the rows sum to a little less than 1.
import numpy as np

EPS = 1e-8


def softmax(scores):
    z = scores - scores.max(-1, keepdims=True)
    e = np.exp(z)
    # never divide by zero
    return e / (e.sum(-1, keepdims=True) + EPS)
