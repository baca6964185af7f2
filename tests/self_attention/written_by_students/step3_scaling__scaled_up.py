# The cause: multiplied by the root, not divided.
import numpy as np


def scale_scores(scores, d_k):
    factor = d_k ** 0.5
    new = scores * factor
    print("scaled with", factor)
    return new
