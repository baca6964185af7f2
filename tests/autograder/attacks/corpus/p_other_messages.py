"""Sends messages of other kinds: a greeting with more layers, a question, a request, another's.

step: step2_scores.py
earns: nothing
"""

import sys


def attention_scores(q, k):
    wire = sys.modules["autograder.wire"]
    worker = sys._getframe(1).f_locals["self"]
    serial = worker._answering
    frames = [
        wire.encode(wire.Hello(["limits", "own uid", "forged"])),
        wire.encode(wire.Hello([], "GAINED: refused for a reason of its own")),
        wire.encode_ask(serial, "softmax", [], [1]),
        wire.encode_ask(serial, "attention_scores", [], [q, k]),
        wire.encode_call(serial, "solutions", "attention_scores", [], [q, k]),
        wire.encode_served(q),
        wire.encode_done(serial - 1, [q], ""),
        wire.encode_done(-1, [q], ""),
    ]
    frame = frames[int(abs(q).sum() * 1e6) % len(frames)]
    wire.send(worker._channel, *frame, wire.Deadline())
    return 1
