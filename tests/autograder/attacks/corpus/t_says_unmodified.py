"""Is right, spoils its argument, and tells the grader that it did not.

What became of a worker's copy is the worker's word, which earns nothing without right values; so
what is lost here is a reproach alone. The grader's own copies have to be untouched.

step: step4_softmax.py
earns: its step
"""

import sys

import numpy as np

wire = sys.modules.get("autograder.wire")
KEPT = []
if wire:
    encode = wire.encode_done

    def encode_done(number, values, *more):
        return encode(number, [values[0], *KEPT] if len(values) == 2 and KEPT else values, *more)

    wire.encode_done = encode_done


def softmax(scores):
    KEPT[:] = [scores.copy()]
    powers = np.exp(scores - np.max(scores, axis=-1, keepdims=True))
    weights = powers / np.sum(powers, axis=-1, keepdims=True)
    scores[...] = -1
    return weights
