# The cause: the root is cut to a whole number, 1 for 3 and 2 for 8.
import math

import numpy as np


def scale_scores(scores, d_k):
    root = math.isqrt(d_k)
    return scores / root
