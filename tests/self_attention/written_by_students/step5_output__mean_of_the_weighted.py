# The cause: a mean where a sum is meant, so that all is divided by the number of keys again.
import numpy as np


def attention_output(weights, v):
    """weighted mean of the values"""
    n_q = weights.shape[-2]
    outputs = []
    for i in range(n_q):
        w = weights[..., i, :, np.newaxis]
        outputs.append(np.mean(w * v, axis=-2))
    return np.stack(outputs, axis=-2)
