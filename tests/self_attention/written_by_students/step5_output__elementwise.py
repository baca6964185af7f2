# The cause: weights and values are multiplied number by number.
import numpy as np


def attention_output(weights, v):
    # weight the values
    weighted_values = np.multiply(weights, v)
    return weighted_values
