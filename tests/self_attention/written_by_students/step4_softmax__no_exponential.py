# The cause: divided by the sum without exponentials; negative scores give negative weights.
import numpy as np

Array = np.ndarray


def softmax(scores: Array) -> Array:
    # each row must sum to 1, so divide by the sum of the row
    sums = np.sum(scores, axis=-1, keepdims=True)
    return scores / sums
