"""Is right, and sends gradients back that are too many, too large, not numbers, not tensors, or none.

step: step2_attention.py
earns: some
"""

import math
import sys

import torch

SEEN = [0]


def lies(gradients):
    """One kind, which the inputs decide."""
    first = gradients[0]
    kinds = (
        [],
        [first] * 1000,
        [torch.full_like(one, math.nan) for one in gradients],
        ["LEAKED" * 1000] * len(gradients),
        [one.to(torch.complex64) for one in gradients],
        [one.to("meta") for one in gradients],
        [torch.zeros(0, 1 << 31, 2)] * len(gradients),
        [torch.zeros(1).expand(1 << 31)] * len(gradients),
        [one.unsqueeze(0) for one in gradients],
        [one.to(torch.int64) for one in gradients],
        [{"LEAKED": one} for one in gradients],
        [torch.Generator()] * len(gradients),
        [float("inf")] * len(gradients),
    )
    return kinds[SEEN[-1] % len(kinds)]


def forge():
    wire = sys.modules["autograder.wire"]
    if hasattr(wire, "true"):
        return
    wire.true = wire.encode_done

    def lie(number, values, output="", gradients=None, measures=None, where=()):
        told = lies(gradients) if gradients else []
        return wire.true(number, values, output, told, measures or {}, where)

    wire.encode_done = lie


def self_attention(x, w_q, w_k, w_v):
    forge()
    SEEN.append(int(abs(x).sum() * 1e6))
    q, k, v = x @ w_q, x @ w_k, x @ w_v
    weights = torch.softmax(q @ k.transpose(-2, -1) / math.sqrt(k.shape[-1]), dim=-1)
    return weights @ v, weights
