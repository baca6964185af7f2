"""Is right, and turns its arguments into other tensors: endless, of no device, shared, of other kinds.

step: step2_attention.py
earns: some
"""

import itertools
import math

import torch

CALLS = itertools.count()


def turn(x, w_q, w_k, w_v):
    """One way after the other; what torch refuses is left out."""
    ways = (
        lambda: x.resize_(1 << 21),
        lambda: setattr(x, "data", torch.zeros(3)),
        lambda: setattr(w_q, "data", torch.zeros(1).expand(1 << 31)),
        lambda: w_k.set_(torch.zeros(2).untyped_storage(), 0, (1 << 31,), (0,)),
        lambda: w_v.untyped_storage().resize_(0),
        lambda: x.transpose_(-1, -2),
        lambda: setattr(x, "__class__", torch.nn.Parameter),
        lambda: x.detach_().requires_grad_(),
        lambda: w_q.grad.zero_(),
        lambda: setattr(x, "grad", x),
    )
    try:
        with torch.no_grad():
            ways[next(CALLS) % len(ways)]()
    except (RuntimeError, TypeError, AttributeError):
        pass


def self_attention(x, w_q, w_k, w_v):
    q, k, v = x @ w_q, x @ w_k, x @ w_v
    weights = torch.softmax(q @ k.transpose(-2, -1) / math.sqrt(k.shape[-1]), dim=-1)
    answer = (weights @ v).clone(), weights.clone()
    turn(x, w_q, w_k, w_v)
    return answer
