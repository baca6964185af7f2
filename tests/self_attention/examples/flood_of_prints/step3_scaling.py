"""Step 3 is right, and prints half a megabyte at each call."""

import sys

import numpy as np


def scale_scores(scores, d_k):
    for line in range(5000):
        print("scaling", line, "of 5000: a line that was meant for debugging, left in by mistake")
        if line % 10 == 0:
            print("scores so far:", line, file=sys.stderr)
    return scores / np.sqrt(d_k)
