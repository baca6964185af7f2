# The cause: the maximum is subtracted above the fraction line only, so rows do not sum to 1.
import numpy as np


def softmax(scores):
    m = np.max(scores, axis=-1, keepdims=True)
    return np.exp(scores - m) / np.sum(np.exp(scores), axis=-1, keepdims=True)
