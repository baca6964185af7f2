# The cause: written out at once, without a maximum in the softmax.
import numpy as np


def self_attention(x, w_q, w_k, w_v):
    Q = x @ w_q
    K = x @ w_k
    V = x @ w_v
    s = np.einsum("...id,...jd->...ij", Q, K) / np.sqrt(K.shape[-1])
    e = np.exp(s)
    attention = e / e.sum(axis=-1, keepdims=True)
    return attention @ V, attention
