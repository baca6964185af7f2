# The cause: // throws the fractions of the scores away.
import numpy as np


def scale_scores(scores, d_k):
    sqrt_dk = np.sqrt(d_k)
    return scores // sqrt_dk
