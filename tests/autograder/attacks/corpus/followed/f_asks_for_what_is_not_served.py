"""Asks for functions of the grading process that are not served: its own step, Python's, paths.

step: step6_self_attention.py
earns: nothing
"""

import sys
import time

from step4_softmax import softmax

NAMES = [
    *("self_attention", "eval", "exec", "__import__", "open", "softmax.__globals__", ""),
    *("softmax\0", "Softmax", "solutions.self_attention.step6_self_attention.self_attention"),
    "COURSE_FOLDER/solutions/self_attention/step6_self_attention.py",
]


def self_attention(x, w_q, w_k, w_v):
    wire = sys.modules["autograder.wire"]
    worker = softmax.__closure__[0].cell_contents.__self__
    name = NAMES[time.monotonic_ns() // 1000 % len(NAMES)]
    wire.send(
        worker._channel,
        *wire.encode_ask(worker._answering, name, [], [x, w_q, w_k, w_v]),
        wire.Deadline(),
    )
    head, body = wire.receive(worker._channel, wire.Deadline())
    reply = wire.decode_request(head)
    if isinstance(reply, wire.Served):
        print(f"GAINED: {name} {body[:40]}")
        return tuple(wire.decode_values([reply.node], body)[0])
    raise KeyError(name)
