"""A call's arguments with all sizes equal: what is drawn, what stays, and where there are none."""

from __future__ import annotations

from pathlib import Path
from types import SimpleNamespace

import numpy as np
import pytest
import torch

from autograder.compare import axes_of
from autograder.grading.behaviour import called
from autograder.grading.check import Check
from autograder.grading.equal_sizes import batch_axes, of_equal_sizes
from autograder.grading.local import LocalCode
from autograder.grading.observation import Observation
from autograder.wire import How

CHECK = Check("demo", "attend", "any", 1, "hidden", False, Path("test_attend.py"))


def attend(q, k, mask, n_q, eps=1e-6, table=None, *, bias=None):
    """Something with most kinds of arguments.

    Args:
        q: (..., n_q, d), one query a row.
        k: (..., n_k, d), one key a row.
        mask: (1 or n_q, n_k), True = may attend.
        n_q: how many queries.
        table: without axes.
        bias: (d, 2), by name.
    """


AXES = axes_of(attend)


def call(*arguments, **named):
    return Observation(CHECK, "attend", arguments, named, None, "ValueError")


def usual(batch=(), queries=2, **named):
    """Queries of the numbers 0 to 9 in single precision, keys of halves, a mask all True."""
    q = (np.arange(queries * 3 * int(np.prod(batch))) % 10).reshape(*batch, queries, 3)
    k = np.full((*batch, 4, 3), 0.5)
    return call(q.astype(np.float32), k, np.ones((queries, 4), bool), queries, **named)


def shapes(one):
    return [np.shape(value) for value in one.sent]


@pytest.mark.parametrize(
    ("batch", "kept", "expected"),
    [((), True, (5, 5)), ((7, 1), True, (5, 5, 5, 5)), ((7, 1), False, (5, 5))],
)
def test_each_axis_has_the_one_size(batch, kept, expected):
    """Batch axes have it as well, or are left out."""
    one = usual(batch)

    equal = of_equal_sizes(one, AXES, 5, batch=kept)

    assert shapes(equal) == [expected, expected, (5, 5), ()]
    assert batch_axes(one, AXES) == 2 * len(batch)


def test_numbers_are_the_arguments_own():
    """So dtype and range stay, and masks hold both truth values."""
    q, k, mask, n_q = of_equal_sizes(usual(), AXES, 5, batch=True).arguments

    assert (q.dtype, k.dtype, mask.dtype) == (np.float32, np.float64, bool)
    assert {*q.ravel()} == {*range(6)}
    assert np.all(k == 0.5)
    assert mask.any()
    assert not mask.all()
    assert n_q == 5


def test_the_same_call_is_asked_again_in_the_same_way():
    """And the call itself is left as it was."""
    one = usual()
    before = one.arguments[0].copy()

    first, second = (of_equal_sizes(one, AXES, 5, batch=True) for _ in range(2))

    assert np.array_equal(first.arguments[0], second.arguments[0])
    assert np.array_equal(one.arguments[0], before)


def test_what_has_no_axes_stays_and_so_does_what_is_fixed():
    """By place or by name, as it was sent."""
    table, bias = np.ones((2, 9)), np.ones((3, 2))
    one = usual()
    one = call(*one.arguments, 0.5, table, bias=bias)

    equal = of_equal_sizes(one, AXES, 6, batch=True)

    assert equal.arguments[4] == 0.5
    assert equal.arguments[5].shape == (2, 9)
    assert equal.named["bias"].shape == (6, 2)
    assert (equal.did, equal.check, equal.function) == ("", CHECK, "attend")


def test_what_is_spread_out_over_an_axis_still_is():
    """The 1 of "1 or n_q" is no size of its own."""
    q, k, _, n_q = usual().arguments

    equal = of_equal_sizes(call(q, k, np.ones((1, 4), bool), n_q), AXES, 5, batch=True)

    assert equal.arguments[2].shape == (1, 5)


def joined(x, y):
    """Sizes that depend on each other.

    Args:
        x: (n, d), rows.
        y: (n + 1, d), one more.
    """


def unnamed(x):
    """No shape is said."""


@pytest.mark.parametrize("reference", [joined, unnamed])
def test_where_sizes_cannot_be_the_same_there_is_no_such_call(reference):
    """Or where none is named."""
    arguments = [np.ones((2, 3)), np.ones((3, 3))][: 2 if reference is joined else 1]

    assert of_equal_sizes(call(*arguments), axes_of(reference), 5, batch=True) is None


class Layer(torch.nn.Module):
    """A layer.

    Attributes:
        w: (d, hidden), the first weights.
        bias: (hidden,), added.
    """

    def __init__(self, d, heads, hidden):
        super().__init__()
        self.w = torch.nn.Parameter(torch.empty(d, hidden))
        self.bias = torch.nn.Parameter(torch.empty(hidden))

    def forward(self, x):
        """Something.

        Args:
            x: (..., n, d), one token a row.
        """
        return x @ self.w + self.bias


def test_an_instance_is_made_as_large_as_its_arguments():
    """By its constructor's arguments that bear the name of an axis, and with weights of that
    size."""
    how = How(construct=(3, 2, 7), weights={"w": torch.ones(3, 7), "bias": torch.zeros(7)})
    one = Observation(CHECK, "Layer", (torch.ones(2, 4, 3),), {}, None, "RuntimeError", how=how)

    equal = of_equal_sizes(one, axes_of(Layer), 6, batch=False)

    assert equal.how.construct == (6, 2, 6)
    assert shapes(equal) == [(6, 6), (6, 6), (6,)]
    assert not isinstance(called(LocalCode(SimpleNamespace(Layer=Layer)), equal), str)


def test_no_array_grows_without_bounds():
    """Many batch axes are too many to be made long."""
    one = call(np.ones((1,) * 9), np.ones((1,) * 9), np.ones((1, 1), bool), 1)

    assert of_equal_sizes(one, AXES, 5, batch=True) is None
    assert of_equal_sizes(one, AXES, 5, batch=False) is not None
