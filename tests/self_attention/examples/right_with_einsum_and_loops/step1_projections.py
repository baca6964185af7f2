"""Step 1 with einsum; K is computed before Q, and the answer is a list."""

import numpy as np


def project_qkv(x, w_q, w_k, w_v):
    k = np.einsum("...nm,mk->...nk", x, w_k)
    v = np.einsum("...nm,mk->...nk", x, w_v)
    q = np.einsum("...nm,mk->...nk", x, w_q)
    return [q, k, v]
