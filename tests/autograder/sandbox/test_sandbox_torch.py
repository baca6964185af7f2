"""Workers with torch ready: as confined as any other, and everything that a step needs works."""

from __future__ import annotations

import pytest

from autograder.sandbox import Settings, StudentRaised, open_sandbox
from autograder.sandbox.promise import LANDLOCK, SECCOMP, UID

torch = pytest.importorskip("torch")
PACKAGES = ("numpy", "torch")
STEPS = """
import torch
from torch import nn

def attention(q, k, v):
    return torch.softmax(q @ k.mT / k.shape[-1] ** 0.5, dim=-1) @ v

def gradient(x):
    x.requires_grad_()
    return torch.autograd.grad(attention(x, x, x).square().sum(), x)[0]

def trained():
    torch.manual_seed(0)
    layer = nn.Linear(3, 1)
    optimiser = torch.optim.Adam(layer.parameters(), lr=0.1)
    losses = []
    for _ in range(20):
        loss = layer(torch.ones(2, 3)).square().mean()
        optimiser.zero_grad()
        loss.backward()
        optimiser.step()
        losses.append(loss.item())
    return losses[-1] < losses[0]

def threads():
    return torch.get_num_threads()

def allocated():
    return torch.ones(1 << 30)

def encoder(x):
    layer = nn.TransformerEncoderLayer(4, 2, 8, dropout=0.0, batch_first=True, dtype=x.dtype)
    return layer(x) * 0

def recurrent(x):
    return nn.LSTM(4, 3, dtype=x.dtype)(x)[0] * 0
"""


@pytest.fixture(scope="module")
def with_torch():
    """The sandbox of this machine, with torch in it."""
    sandbox = open_sandbox(Settings(packages=PACKAGES))
    yield sandbox
    sandbox.close()


@pytest.mark.parametrize("dtype", ["float64", "float32", "bfloat16", "float16"])
def test_tensors_go_in_and_come_out_in_their_dtype(with_torch, student, dtype):
    """With the values that the same code gives here."""
    q = torch.randn(2, 3, 4, dtype=torch.float64).to(getattr(torch, dtype))

    came = student(with_torch, STEPS)("attention", q, q, q)

    assert came.dtype == q.dtype
    right = torch.softmax(q @ q.mT / 2, dim=-1) @ q
    assert torch.allclose(came, right, atol=1e-2 if came.itemsize == 2 else 1e-6)


def test_gradients_flow_in_a_worker(with_torch, student):
    """The engine was not started before the fork, so it starts after it."""
    x = torch.randn(3, 4, dtype=torch.float64)
    here = x.clone().requires_grad_()
    (torch.softmax(here @ here.mT / 2, dim=-1) @ here).square().sum().backward()

    assert torch.allclose(student(with_torch, STEPS)("gradient", x), here.grad)


def test_an_optimiser_learns_in_a_worker_and_leaves_nothing(with_torch, student):
    """Its first use would import for a second, and make a folder."""
    assert student(with_torch, STEPS)("trained", seconds=5) is True


@pytest.mark.parametrize("layer", ["encoder", "recurrent"])
def test_layers_of_torch_work(with_torch, student, layer):
    """What they import and compile lazily can be had where no file may be written."""
    came = student(with_torch, STEPS)(layer, torch.ones(2, 5, 4))

    assert torch.isfinite(came).all()


def test_a_worker_computes_with_one_thread(with_torch, student):
    """The base process had one too, else its fork would hang."""
    assert student(with_torch, STEPS)("threads") == 1


def test_the_memory_limit_is_what_comes_on_top_of_torch(with_torch, student):
    """A tensor beyond it is an exception in the student's program."""
    answer = student(with_torch, STEPS)

    with pytest.raises(StudentRaised, match="memory"):
        answer("allocated")
    assert answer("trained") is True


@pytest.mark.slow
@pytest.mark.parametrize("without", [(LANDLOCK,), (UID,), (UID, LANDLOCK), (SECCOMP,)])
def test_torch_works_in_every_combination_of_layers(student, opened, without):
    """Where no file may be opened too: all of it was imported before."""
    worker = student(opened(packages=PACKAGES, without=without), STEPS)

    assert worker("trained", seconds=10) is True
    assert worker("gradient", torch.ones(2, 4)).shape == (2, 4)


def test_without_torch_in_the_manifest_no_worker_has_it(forking, student):
    """What a NumPy assignment costs does not change."""
    source = "import sys\ndef loaded(): return 'torch' in sys.modules\n"

    assert student(forking, source)("loaded") is False
