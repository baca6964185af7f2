"""Returns the largest, the smallest, infinite and negative zero numbers, so that differences vanish
or overflow.

step: step5_output.py
earns: nothing
"""

import itertools

import numpy as np

CALLS = itertools.count()
NUMBERS = (np.inf, -np.inf, 1.7976931348623157e308, -1.7976931348623157e308, 5e-324, -5e-324, -0.0)


def attention_output(weights, v):
    rows = np.resize(NUMBERS, (weights.shape[-2], v.shape[-1]))
    if next(CALLS) % 2:
        rows = np.full(rows.shape, NUMBERS[next(CALLS) % len(NUMBERS)])
    return np.broadcast_to(rows, (*weights.shape[:-2], *rows.shape))
