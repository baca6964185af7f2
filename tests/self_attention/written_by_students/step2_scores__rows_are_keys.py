# The cause: the loops fill the table by S[key, query]; it is the transpose of what is asked.
import numpy as np


def dot(a, b):
    total = 0
    for a_i, b_i in zip(a, b):
        total = total + a_i * b_i
    return total


def attention_scores(q, k):
    n_q = q.shape[-2]
    n_k = k.shape[-2]
    S = np.zeros(q.shape[:-2] + (n_k, n_q), dtype=np.result_type(q, k))
    for batch in np.ndindex(q.shape[:-2]):
        for i in range(n_q):
            for j in range(n_k):
                S[batch][j, i] = dot(q[batch][i], k[batch][j])
    return S
