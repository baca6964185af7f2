"""Step 3: scaling by the root of the key width."""

import numpy as np


def scale_scores(scores, d_k):
    return scores / np.sqrt(d_k)
