# The cause: maximum and sum run over the queries (axis -2), so that columns sum to 1.
import numpy as np

Array = np.ndarray


def softmax(scores: Array) -> Array:
    """Turn each row of scores into weights that are positive and sum to 1."""
    # every row -> go down the rows
    biggest = scores.max(axis=-2, keepdims=True)
    exps = np.exp(scores - biggest)
    return exps / exps.sum(axis=-2, keepdims=True)
