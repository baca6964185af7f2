"""Asks for gradients and tangents by hand: too many, of other shapes, of functions that nobody gave.

step: step3_influence.py
earns: nothing
"""

import itertools
import math
import sys

import torch

CALLS = itertools.count()
NAMES = ("argument 1", "argument -1", "influence", "rnn_states", "__class__", "", "x" * 100_000)


def asked(worker, wire, name, values, upstream=(), tangents=()):
    """What comes back for one question."""
    frame = wire.encode_ask(worker._answering, name, [], values, upstream, tangents)
    wire.send(worker._channel, *frame, wire.Deadline())
    return wire.receive(worker._channel, wire.Deadline())


def vectors(x):
    """What stands in the place of upstream gradients."""
    return (
        [x] * 100,
        [x.to(torch.int64)],
        [torch.full_like(x, math.nan)],
        [torch.zeros(0)],
        [torch.zeros(1 << 18)],
        ["up", None, {"x": 1}],
        [x.to(torch.bfloat16)],
        [1 << 62],
    )


def influence(layer, x):
    wire = sys.modules["autograder.wire"]
    frame = sys._getframe()
    while not hasattr(frame.f_locals.get("self"), "_channel"):
        frame = frame.f_back
    worker, own = frame.f_locals["self"], wire.argument_name(0)
    for several in vectors(x):
        asked(worker, wire, own, [x], several)
        asked(worker, wire, own, [x], (), several)
        asked(worker, wire, own, [x.to(torch.int64), x, "x"], several, several)
    asked(worker, wire, NAMES[next(CALLS) % len(NAMES)], [x])
    return x.new_zeros(len(x), len(x))
