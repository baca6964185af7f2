# The cause: the keys are compared with the keys, the queries are not used.
import numpy as np


def attention_scores(q, k):
    all_rows = []
    # go through all keys
    for j in range(k.shape[-2]):
        key = k[..., j : j + 1, :]
        # dot product with every other one
        row = np.sum(key * k, axis=-1)
        all_rows.append(row)
    return np.stack(all_rows, axis=-2)
