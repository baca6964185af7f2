# The cause: nothing is divided; the scores come back as they were (in floating point).
import numpy as np


def scale_scores(scores, d_k):
    scaled = np.array(scores, dtype=np.float64)
    # TODO d_k?
    return scaled
