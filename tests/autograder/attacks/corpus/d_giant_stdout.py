"""Prints floods, to every descriptor that it knows of, and answers rightly.

step: step3_scaling.py
earns: its step
"""

import os
import sys

import numpy as np


def scale_scores(scores, d_k):
    for _ in range(20):
        print("x" * 100_000)
        os.write(1, b"y" * 100_000)
        os.write(2, b"y" * 100_000)
    sys.__stdout__.write("z" * 1_000_000)
    sys.stderr.write("z" * 1_000_000)
    return scores / np.sqrt(d_k)
