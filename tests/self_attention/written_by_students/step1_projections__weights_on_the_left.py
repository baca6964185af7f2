# The cause: the matrices stand on the left of x (W X), as for tokens in columns.
import numpy as np


def project_qkv(x, w_q, w_k, w_v):
    # a matrix acts on a vector from the left!!
    result = []
    for W in [w_q, w_k, w_v]:
        result.append(W @ x)
    return tuple(result)
