# The cause: /= writes into the caller's array (and cannot do so where that holds whole numbers).
import numpy as np


def scale_scores(scores, d_k):
    scores /= np.sqrt(d_k)
    return scores
