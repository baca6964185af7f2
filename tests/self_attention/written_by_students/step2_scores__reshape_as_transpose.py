# The cause: reshape gives the keys the right shape, but does not transpose them.
import numpy as np


def attention_scores(q, k):
    *batch, n_k, d_k = k.shape
    # need (d_k, n_k) for the multiplication
    keys = k.reshape(*batch, d_k, n_k)
    assert q.shape[-1] == keys.shape[-2], "shapes must fit"
    return q @ keys
