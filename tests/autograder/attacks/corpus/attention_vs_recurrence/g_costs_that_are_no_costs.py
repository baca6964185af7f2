"""Is right, and says that it cost nothing, less than that, more than there is, a text, or everything.

step: step1_rnn.py
earns: some
"""

import itertools
import sys

import torch

CALLS = itertools.count()
NAMES = ("operations", "flops", "largest", "peak", "depth")
LIES = (
    0,
    -1,
    (1 << 63) - 1,
    1 << 70,
    float("nan"),
    float("inf"),
    "many",
    True,
    None,
    [1] * 1000,
)


def forge():
    """What the worker says of costs, one lie after the other."""
    wire = sys.modules["autograder.wire"]
    if hasattr(wire, "true"):
        return
    wire.true = wire.encode_done

    def lie(number, values, output="", gradients=None, measures=None, where=()):
        if measures:
            at = next(CALLS)
            measures = dict.fromkeys(NAMES, LIES[at // 3 % len(LIES)])
            if at % 7 == 6:
                measures = {f"cost {one}": one for one in range(100_000)}
        return wire.true(number, values, output, gradients, measures, where)

    wire.encode_done = lie


def rnn_states(x, w_x, w_h, b):
    forge()
    state = x.new_zeros(*x.shape[:-2], w_h.shape[0])
    states = []
    for t in range(x.shape[-2]):
        state = torch.tanh(x[..., t, :] @ w_x + state @ w_h + b)
        states.append(state)
    return torch.stack(states, dim=-2)
