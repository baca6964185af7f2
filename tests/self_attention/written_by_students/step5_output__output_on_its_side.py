# The cause: the output letters of the einsum are swapped: (d_v, n_q).
import numpy as np

Array = np.ndarray


def attention_output(weights: Array, v: Array) -> Array:
    return np.einsum("...qk,...kv->...vq", weights, v)
