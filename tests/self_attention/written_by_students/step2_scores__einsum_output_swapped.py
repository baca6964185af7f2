# The cause: the output letters of the einsum are swapped, so that rows are keys.
import numpy as np

Array = np.ndarray


def attention_scores(q: Array, k: Array) -> Array:
    # i: queries, j: keys, d: features
    return np.einsum("...id,...jd->...ji", q, k, optimize=True)
