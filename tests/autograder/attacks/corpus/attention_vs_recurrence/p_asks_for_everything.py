"""Asks the grader's layer about one odd tensor a call, its gradients too, and about what is no tensor.

step: step3_influence.py
earns: nothing
"""

import itertools
import math

import torch

CALLS = itertools.count()


class Mine(torch.Tensor):
    """A class of its own, which is read by code of its own."""

    @classmethod
    def __torch_function__(cls, func, types, args=(), kwargs=None):
        with torch._C.DisableTorchFunctionSubclass():
            return func(*args, **(kwargs or {}))

    detach = cpu = numpy = lambda self, *arguments: torch.ones(1 << 20)


def questions(x, layer):
    """Each as a function: some cannot be made here."""
    n, d = x.shape
    return (
        lambda: torch.zeros(1 << 22, d),
        lambda: torch.zeros(1).expand(1 << 31, d),
        lambda: torch.zeros(1 << 11, 1 << 11),
        lambda: torch.zeros(0, 1 << 31),
        lambda: torch.zeros(1 << 31, 0),
        lambda: torch.full_like(x, math.nan),
        lambda: torch.full_like(x, -math.inf),
        lambda: torch.full_like(x, 1e308),
        lambda: x.to(torch.complex64),
        lambda: x.to(torch.int8),
        lambda: x.to(torch.bool),
        lambda: x.to(torch.uint64),
        lambda: x.to(torch.bfloat16),
        lambda: x.to("meta"),
        lambda: x.to_sparse(),
        lambda: x.as_subclass(Mine),
        lambda: torch.nn.Parameter(x),
        lambda: torch.zeros([1] * 60),
        lambda: torch.zeros(4000, 1, d),
        lambda: torch.tensor(1e300),
        lambda: 1e18,
        lambda: "layer",
        lambda: [x] * 5000,
        lambda: {"x": x},
        lambda: layer,
        lambda: torch.Generator(),
        lambda: torch.float64,
        lambda: None,
    )


def influence(layer, x):
    several = questions(x, layer)
    make = several[next(CALLS) % len(several)]
    ways = (
        lambda: layer(make()),
        lambda: layer(make(), x, x, x=make()),
        lambda: layer(make().clone().requires_grad_()).sum().backward(),
        lambda: torch.func.jvp(layer, (make(),), (make(),)),
    )
    for ask in ways:
        try:
            ask()
        except Exception:
            pass
    return x.new_zeros(len(x), len(x))
