"""Step 4 by the formula as it stands: exp overflows for large scores."""

import numpy as np


def softmax(scores):
    exponentials = np.exp(scores)
    return exponentials / np.sum(exponentials, axis=-1, keepdims=True)
