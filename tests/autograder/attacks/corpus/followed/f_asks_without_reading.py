"""Writes questions to the channel without end, and reads none of the answers.

step: step6_self_attention.py
earns: nothing
"""

import sys

import numpy as np
from step4_softmax import softmax


def self_attention(x, w_q, w_k, w_v):
    wire = sys.modules["autograder.wire"]
    worker = softmax.__closure__[0].cell_contents.__self__
    frame = wire.encode_ask(worker._answering, "softmax", [], [np.ones((1000, 500))])
    while True:
        wire.send(worker._channel, *frame, wire.Deadline())
