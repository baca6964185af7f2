# The cause: the weights are transposed, as if they were stored (out, in) like in nn.Linear.
import numpy as np

Array = np.ndarray


def linear(inp, weight):
    # y = x W^T, this is how pytorch does it
    return np.matmul(inp, weight.T)


def project_qkv(x: Array, w_q: Array, w_k: Array, w_v: Array) -> tuple[Array, Array, Array]:
    """Turn every token into its query, its key and its value."""
    queries = linear(x, w_q)
    keys = linear(x, w_k)
    values = linear(x, w_v)
    return queries, keys, values
