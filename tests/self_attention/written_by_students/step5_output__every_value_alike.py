# The cause: the plain mean of all values; the weights are not used but for their shape.
import numpy as np


def attention_output(weights, v):
    n_q = weights.shape[-2]
    avg = v.mean(axis=-2, keepdims=True)
    return np.repeat(avg, n_q, axis=-2)
