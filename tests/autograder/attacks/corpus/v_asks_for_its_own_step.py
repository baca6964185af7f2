"""Asks the grader for the value of the step at hand, as a later step may in a follow-through.

step: step4_softmax.py
earns: nothing
"""

import sys


def softmax(scores):
    wire = sys.modules["autograder.wire"]
    worker = sys._getframe(1).f_locals["self"]
    frame = wire.encode_ask(worker._answering, "softmax", [], [scores])
    wire.send(worker._channel, *frame, wire.Deadline())
    head, body = wire.receive(worker._channel, wire.Deadline.after(1))
    reply = wire.decode_request(head)
    return wire.decode_values([reply.node], body)[0]
