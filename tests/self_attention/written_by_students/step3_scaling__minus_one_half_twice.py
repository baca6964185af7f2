# The cause: the scale d_k^(-1/2) is divided by, so that the scores grow.
import numpy as np


def get_scale(dim):
    return np.power(float(dim), -0.5)


def scale_scores(scores, d_k):
    return scores / get_scale(d_k)
