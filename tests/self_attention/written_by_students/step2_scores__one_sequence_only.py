# The cause: the loops know rows and columns only; a batch axis in front is taken for the queries.
import numpy as np

Array = np.ndarray


def attention_scores(q: Array, k: Array) -> Array:
    """Compare every query with every key by their dot product."""
    S = np.zeros((len(q), len(k)))
    for i in range(len(q)):
        for j in range(len(k)):
            S[i, j] = np.dot(q[i], k[j])
    return S
