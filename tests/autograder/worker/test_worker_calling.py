"""A call on another device is made there, with all that it is given, and so is what it gives."""

from __future__ import annotations

import pytest

from autograder import wire
from autograder.worker import ElsewhereGiven
from autograder.worker.calling import performed

torch = pytest.importorskip("torch")
ELSEWHERE = wire.How(device="meta")  # a device that every computer has


def given(*positional, **named):
    return wire.Arguments(list(positional), named, ELSEWHERE)


def test_arguments_are_on_the_device_that_is_asked_for():
    """Tensors in containers too; what is no tensor stays as it is."""
    seen = []

    def step(x, pair, n, mask=None):
        seen.extend([x.device.type, pair[0].device.type, n, mask.device.type])
        return x

    performed(step, given(torch.ones(2), [torch.ones(3)], 5, mask=torch.ones(2)))

    assert seen == ["meta", "meta", 5, "meta"]


def test_an_instance_is_there_with_its_weights():
    """Its parameters follow the weights that it is given."""
    how = wire.How(construct=(2, 3), weights={"weight": torch.ones(3, 2), "bias": torch.ones(3)})
    moved = wire.How(how.upstream, how.construct, how.weights, device="meta")

    came = performed(torch.nn.Linear, wire.Arguments([torch.ones(4, 2)], {}, moved))

    assert {one.device.type for one in [came.value, *came.arguments]} == {"meta"}


@pytest.mark.parametrize("wrap", [lambda one: one, lambda one: (one, 1), lambda one: {"a": one}])
def test_what_is_given_elsewhere_is_told(wrap):
    """A result on the CPU is no result on a GPU."""
    with pytest.raises(ElsewhereGiven):
        performed(lambda x: wrap(torch.ones(2)), given(torch.ones(2)))
