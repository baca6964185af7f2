"""Returns a list of a thousand views of one number: little to keep, 60 GB to write out.

step: step5_output.py
earns: nothing
"""

import numpy as np

CALLS = []


def attention_output(weights, v):
    CALLS.append(v)
    if len(CALLS) > 2:
        raise RuntimeError("that was enough")
    return [np.broadcast_to(np.float64(1), (2000, 4000))] * 1000
