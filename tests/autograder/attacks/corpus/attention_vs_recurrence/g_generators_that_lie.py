"""Leaves generators where no generator can be: the grader goes on from where it says that it is.

step: step5_scaling.py
earns: nothing
"""

import itertools
import sys

import torch

CALLS = itertools.count()


def states(state):
    """What the worker says of a generator."""
    return (
        state[:100],
        torch.zeros_like(state),
        torch.full_like(state, 255),
        torch.cat([state, state]),
        torch.zeros(0, dtype=torch.uint8),
        torch.randint(0, 255, state.shape, dtype=torch.uint8),
    )


def forge():
    values = sys.modules["autograder.wire.values"]
    if hasattr(values, "true"):
        return
    values.true = values.state_of

    def lie(generator):
        several = states(values.true(generator))
        return several[next(CALLS) % len(several)]

    values.state_of = lie


def score_variance(d_k, num_pairs, generator):
    forge()
    return float(d_k), 1.0


def softmax_gradient(scores):
    return scores
