"""Sends answers, greetings and served values in the middle of its own questions.

step: step6_self_attention.py
earns: nothing
"""

import sys
import time

import numpy as np
from step4_softmax import softmax


def self_attention(x, w_q, w_k, w_v):
    wire = sys.modules["autograder.wire"]
    worker = softmax.__closure__[0].cell_contents.__self__
    serial = worker._answering
    right = [[np.zeros(3), np.zeros(3)], x, w_q, w_k, w_v]
    frames = [
        wire.encode_served(np.zeros((5, 2))),
        wire.encode(wire.NotServed("SystemExit")),
        wire.encode(wire.Hello(["forged"], "GAINED: refused")),
        wire.encode_done(serial + 1, right, ""),
        wire.encode_done(serial, right, "right"),
        wire.encode(wire.Raised(serial, "CheckFailed", "passed", [], "")),
        wire.encode(wire.Raised(serial, "Skipped", "no case of it could run here", [], "")),
    ]
    frame = frames[time.monotonic_ns() // 1000 % len(frames)]
    wire.send(worker._channel, *wire.encode_ask(serial, "softmax", [], [x]), wire.Deadline())
    wire.send(worker._channel, *frame, wire.Deadline())
    wire.send(worker._channel, *wire.encode_ask(serial, "softmax", [], [x]), wire.Deadline())
    return softmax(x), x
