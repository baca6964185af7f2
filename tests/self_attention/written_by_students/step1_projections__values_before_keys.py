# The cause: all three are computed rightly, but v is returned in the place of k.
"""Step 1."""

import numpy as np

Array = np.ndarray


def project_qkv(x: Array, w_q: Array, w_k: Array, w_v: Array):
    proj = {}
    proj["q"] = np.einsum("...nm,md->...nd", x, w_q)
    proj["v"] = np.einsum("...nm,md->...nd", x, w_v)
    proj["k"] = np.einsum("...nm,md->...nd", x, w_k)
    return tuple(proj.values())
