# The cause: the sums are kept in an array of v's type; whole values cut the mixture.
import numpy as np


def attention_output(weights, v):
    *batch, n_q, n_k = weights.shape
    d_v = v.shape[-1]
    out = np.zeros((*batch, n_q, d_v), dtype=v.dtype)
    for b in np.ndindex(*batch):
        for i in range(n_q):
            mix = np.zeros(d_v)
            for j in range(n_k):
                mix += weights[b][i, j] * v[b][j]
            out[b][i] = mix
    return out
