"""Returns an array that is far too large to come back.

step: step4_softmax.py
earns: nothing
"""

import numpy as np


def softmax(scores):
    return np.zeros(40 << 20, "float32")  # 160 MiB
