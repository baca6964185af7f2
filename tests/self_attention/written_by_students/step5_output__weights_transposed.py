# The cause: A^T V, a mean over the queries.
import numpy as np

Array = np.ndarray


def attention_output(weights: Array, v: Array) -> Array:
    """Mix the values, each query with its own row of weights."""
    # transpose so that the dimensions fit
    a = np.swapaxes(weights, -1, -2)
    return np.matmul(a, v)
