# The cause: the results are right but lie on their side: one query a column, (d_k, n).
import numpy as np
from numpy import einsum


def project_qkv(x, w_q, w_k, w_v):
    # i = token, j = feature, k = new feature
    spec = "...ij,jk->...ki"
    return einsum(spec, x, w_q), einsum(spec, x, w_k), einsum(spec, x, w_v)
