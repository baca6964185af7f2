# The cause: the root of the last axis of the SCORES, which is the number of keys and not d_k.
import numpy as np


def scale_scores(scores, d_k):
    d = scores.shape[-1]
    return scores / np.sqrt(d)
