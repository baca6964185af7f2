"""Layers of the grading process among a call's arguments, called back by the student's code with
their derivatives; and generators of random numbers, which go on from there."""

from __future__ import annotations

import msgspec
import pytest

from autograder import wire
from autograder.sandbox import Settings, StudentRaised, open_sandbox
from autograder.sandbox.serving import Server

torch = pytest.importorskip("torch")
STEP = """
import torch

def twice(layer, x):
    return layer(x) + layer(x)

def loop(layer, x):
    x = x.clone().requires_grad_()
    y = layer(x)
    rows = [torch.autograd.grad(one, x, retain_graph=True)[0].flatten() for one in y.flatten()]
    return torch.stack(rows)

def jacobian(layer, x):
    return torch.autograd.functional.jacobian(layer, x).reshape(-1, x.numel())

def vectorized(layer, x):
    found = torch.autograd.functional.jacobian(layer, x, vectorize=True)
    return found.reshape(-1, x.numel())

def backward(layer, x):
    return torch.func.jacrev(layer)(x).reshape(-1, x.numel())

def forward(layer, x):
    return torch.func.jacfwd(layer)(x).reshape(-1, x.numel())

def one_by_one(layer, x):
    return torch.func.vmap(layer)(x[:, None]).squeeze(1)

def without_gradients(layer, x):
    return layer(x.detach()).requires_grad

def drawn(generator, n):
    return torch.randn(n, generator=generator)

def dtype(dtype):
    return torch.ones(2, dtype=dtype)

def asks(layer, x):
    return layer(x, x.dtype, x.device)

def kept(layer, x):
    kept.layer = layer
    return layer(x)

def kept_again(x):
    return kept.layer(x)
"""
WEIGHTS = torch.linspace(-1, 1, 16, dtype=torch.float64).reshape(4, 4)


def layer(x):
    """Tokens mixed, and bent."""
    return torch.tanh(WEIGHTS @ x)


@pytest.fixture(scope="module")
def with_torch():
    """The sandbox of this machine, with torch in it."""
    sandbox = open_sandbox(Settings(packages=("numpy", "torch")))
    yield sandbox
    sandbox.close()


@pytest.fixture
def code(with_torch, student):
    """The step, in a worker."""
    return student(with_torch, STEP)


@pytest.fixture
def x():
    """Four tokens."""
    return torch.linspace(0, 1, 12, dtype=torch.float64).reshape(4, 3)


def test_a_layer_of_ours_is_called_back(code, x):
    """As often as the student's code likes."""
    assert torch.equal(code("twice", layer, x), 2 * layer(x))


@pytest.mark.parametrize("way", ["loop", "jacobian", "vectorized", "backward", "forward"])
def test_its_derivative_can_be_had_in_every_way(code, x, way):
    """Backward and forward, one by one and under torch's transforms."""
    expected = torch.autograd.functional.jacobian(layer, x).reshape(12, 12)

    assert torch.allclose(code(way, layer, x), expected)


def test_it_can_be_mapped(code, x):
    """Over an axis of batches."""
    mapped = code("one_by_one", lambda each: 2 * each, x)

    assert torch.equal(mapped, 2 * x)


def test_without_a_gradient_there_is_no_graph(code, x):
    """What does not require one gives nothing that does."""
    assert code("without_gradients", layer, x) is False


def test_what_it_raises_is_raised_there(code, x):
    """Its kind, and no word of ours."""

    def strict(each):
        raise ValueError("a secret")

    with pytest.raises(StudentRaised) as raised:
        code("twice", strict, x)

    assert (raised.value.kind, "secret" in raised.value.message) == ("ValueError", False)


def test_it_is_gone_after_the_call(code, x):
    """What a student keeps of it answers no more: the worker is given up."""
    code("kept", layer, x)

    with pytest.raises(Exception, match="not served"):
        code("kept_again", x)


def test_a_generator_is_sent_with_its_state(code):
    """The same numbers as here, and afterwards the state in which the student's code left it."""
    generator = torch.Generator().manual_seed(7)
    torch.randn(3, generator=generator)
    answer = code.answer("drawn", generator, 5)

    assert torch.equal(answer.value, torch.randn(5, generator=generator))
    assert torch.equal(answer.arguments[0], generator.get_state())


def test_a_dtype_can_be_an_argument(code):
    """By its name."""
    assert code("dtype", torch.bfloat16).dtype is torch.bfloat16


def test_a_layer_can_be_asked_for_a_dtype_and_a_device(code, x):
    """As a student's code hands them on; a device arrives as its name."""

    def positions(each, dtype, device):
        return torch.zeros(each.shape, dtype=dtype, device=device)

    assert torch.equal(code("asks", positions, x), torch.zeros_like(x))


def test_a_worker_can_send_no_function():
    """A function, a dtype: nothing that acts is made of what a worker sends."""
    for node in ({"type": "function", "number": 0}, {"type": "dtype", "name": "float32"}):
        done = {"type": "done", "id": 1, "nodes": [node], "output": ""}
        reply = wire.decode_reply(msgspec.msgpack.encode(done))
        assert isinstance(reply, wire.Done)
        with pytest.raises(wire.WireError, match="where none can be"):
            wire.decode_done(reply, b"")


VECTORS = [[], [1.0], ["x"], [None, None], [torch.ones(2)], [torch.ones(4, 3)] * 3, [torch.ones(0)]]


@pytest.mark.parametrize("tangents", VECTORS)
@pytest.mark.parametrize("upstream", [*VECTORS, [torch.ones(4, 3).to(torch.int64)]])
def test_whatever_derivative_is_asked_for_is_answered(upstream, tangents):
    """By a value or by a kind of exception; a worker's vectors are its own choice."""
    x = torch.ones(4, 3, dtype=torch.float64)
    server = Server({"layer": layer})
    frame = wire.encode_ask(1, "layer", [], [x], upstream, tangents)
    ask = wire.decode_reply(frame[0])
    assert isinstance(ask, wire.Ask)

    answer = server.answer(ask, bytearray(b"".join(frame[1])), wire.Deadline.after(20))
    server.close()

    assert isinstance(wire.decode_request(answer[0]), wire.Served | wire.NotServed)
