# The cause: copied line; the keys are made with the query weights.
import numpy as np

Array = np.ndarray


def project_qkv(x: Array, w_q: Array, w_k: Array, w_v: Array) -> tuple[Array, Array, Array]:
    """Turn every token into its query, its key and its value.

    Q = X W^Q,  K = X W^K,  V = X W^V
    """
    # (n, d_model) times (d_model, d_k)
    query_matrix = np.tensordot(x, w_q, axes=1)
    key_matrix = np.tensordot(x, w_q, axes=1)
    # (n, d_model) times (d_model, d_v)
    value_matrix = np.tensordot(x, w_v, axes=1)
    return query_matrix, key_matrix, value_matrix
