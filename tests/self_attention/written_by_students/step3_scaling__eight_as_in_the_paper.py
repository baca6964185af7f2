# The cause: a constant, the paper's root of 64, whatever d_k is.
import numpy as np

D_K = 64  # from the paper, "we use d_k = 64"


def scale_scores(scores, d_k=D_K):
    return scores / np.sqrt(D_K)
