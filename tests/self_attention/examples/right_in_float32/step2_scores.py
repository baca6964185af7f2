"""Step 2: every query against every key."""

import numpy as np


def attention_scores(q, k):
    return q @ np.swapaxes(k, -1, -2)
