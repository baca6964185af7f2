# The cause: the scores are divided by the root of d_k here, which step 3 does.
from math import sqrt

import numpy as np


def attention_scores(q, k):
    """scaled dot product, see Vaswani et al."""
    dim = k.shape[-1]
    k_transposed = np.moveaxis(k, -1, -2)
    scores = np.matmul(q, k_transposed) / sqrt(dim)
    return scores
