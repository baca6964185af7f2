# The cause: a hard look-up; only the value of the largest weight is taken.
import numpy as np


def attention_output(weights, v):
    best = np.argmax(weights, axis=-1)  # (..., n_q)
    picked = np.take_along_axis(v, best[..., None], axis=-2)
    return picked * 1.0
