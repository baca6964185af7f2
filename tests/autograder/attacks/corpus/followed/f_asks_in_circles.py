"""Asks while it asks: arguments that ask as they are encoded, and a recursion without an end.

step: step6_self_attention.py
earns: nothing
"""

import numpy as np
from step4_softmax import softmax


class Asks(dict):
    def items(self):
        return [("scores", softmax(Asks(scores=Asks())))]

    __iter__ = __len__ = keys = values = items


class Shape(np.ndarray):
    def __array_finalize__(self, other):
        if other is not None:
            softmax(np.ones((2, 2)))


def self_attention(x, w_q, w_k, w_v):
    try:
        softmax(Asks(scores=Asks()))
    except Exception:
        softmax(np.ones((2, 2)).view(Shape))
    return self_attention(x, w_q, w_k, w_v)
