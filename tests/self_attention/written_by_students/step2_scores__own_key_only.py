# The cause: query i is compared with key i only, not with every key.
import numpy as np


def attention_scores(q, k):
    # dot product = multiply and add up
    products = q * k
    return np.sum(products, axis=-1)
