"""Step 4 with loops in plain Python."""

import math

import numpy as np


def softmax(scores):
    weights = np.zeros(scores.shape)
    for place in np.ndindex(*scores.shape[:-1]):
        row = [float(score) for score in scores[place]]
        largest = max(row)
        exponentials = [math.exp(score - largest) for score in row]
        total = sum(exponentials)
        for j, exponential in enumerate(exponentials):
            weights[place][j] = exponential / total
    return weights
