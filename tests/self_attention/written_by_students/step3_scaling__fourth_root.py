# The cause: the root is taken twice, the fourth root of d_k, as for q and k each by itself.
import numpy as np


def scale_scores(scores, d_k):
    std = np.sqrt(d_k)
    scaled = scores / np.sqrt(std)
    return scaled
