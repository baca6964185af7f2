# The cause: the loop overwrites x, so that keys are made of queries and values of keys.
import numpy as np


def project_qkv(x, w_q, w_k, w_v):
    out = []
    for w in (w_q, w_k, w_v):
        x = np.dot(x, w)
        out.append(x)
    q, k, v = out
    return q, k, v
