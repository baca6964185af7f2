"""What a call costs is counted as torch counts it, and counting costs little itself."""

from __future__ import annotations

import subprocess
import sys

import pytest
import torch
from torch.nn import functional
from torch.utils._python_dispatch import TorchDispatchMode
from torch.utils.flop_counter import FlopCounterMode

from autograder import wire
from autograder.worker.measuring import measured

SQUARE, BATCH = torch.ones(6, 6), torch.ones(2, 3, 6, 6)
PRODUCTS = {
    "matmul": lambda x, y: x @ y,
    "einsum": lambda x, y: torch.einsum("...ij,...jk->...ik", x, y),
    "linear": functional.linear,
    "addition": lambda x, y: torch.baddbmm(x[0], x[0], x[1]),
    "convolution": lambda x, y: functional.conv1d(x.flatten(0, -3), torch.ones(4, 6, 3)),
    "recurrence": lambda x, y: torch.nn.RNNCell(6, 4)(x[0, 0]),
}


@pytest.mark.parametrize("mode", [torch.enable_grad, torch.no_grad, torch.inference_mode])
@pytest.mark.parametrize("function", PRODUCTS.values(), ids=PRODUCTS.keys())
def test_products_cost_what_torch_says(function, mode):
    """Whatever they are written with, and where a student's code switches gradients off."""

    def call(x, y):
        with mode():
            return function(x, y)

    with FlopCounterMode(display=False) as counter, _ByEntry() as others:
        call(BATCH.clone(), SQUARE.clone())
    _, found = measured(call, _given())
    assert counter.get_total_flops() > 0
    assert found.flops == counter.get_total_flops() + others.entries


def test_counting_imports_no_compiler():
    """torch's own modes do, which would cost each grading process more than a second."""
    program = """
import sys, torch
from autograder import wire
from autograder.worker import devices, measuring
given = [torch.ones(3, 3)]
measuring.measured(lambda x: x @ x, wire.Arguments(given, {}, wire.PLAIN))
assert devices.moved(lambda x: x @ x, given, {})[0] == "stays"
sys.exit("torch._dynamo" in sys.modules)
"""
    subprocess.run([sys.executable, "-c", program], check=True)


class _ByEntry(TorchDispatchMode):
    """The entries of what is multiplied or divided entry by entry."""

    entries = 0

    def __torch_dispatch__(self, func, types, args=(), kwargs=None):
        out = func(*args, **(kwargs or {}))
        if func.overloadpacket in (torch.ops.aten.mul, torch.ops.aten.div):
            self.entries += out.numel()
        return out


def _given():
    return wire.Arguments([BATCH.clone(), SQUARE.clone()], {}, wire.PLAIN)
