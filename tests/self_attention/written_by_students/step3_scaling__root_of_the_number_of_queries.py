# The cause: the root of the number of queries, scores.shape[-2].
import math

import numpy as np

Array = np.ndarray


def scale_scores(scores: Array, d_k: int) -> Array:
    rows, columns = scores.shape[-2:]
    return scores * (1.0 / math.sqrt(rows))
