# The cause: -= subtracts the maximum in the caller's own array.
import numpy as np


def softmax(scores):
    scores -= scores.max(axis=-1, keepdims=True)
    exp_scores = np.exp(scores)
    return exp_scores / exp_scores.sum(axis=-1, keepdims=True)
