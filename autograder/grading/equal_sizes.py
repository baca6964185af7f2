"""The arguments of a call once more, with every axis of one same size: where sizes differ many
mistakes raise or give a wrong shape, and no value can name them. Calls nothing."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import replace
from typing import Any

import numpy as np

from autograder.compare import Axes
from autograder.compare.axes import tail_of
from autograder.grading.observation import Observation
from autograder.wire import PLAIN, How, is_tensor, like, to_numpy

_SEED = 0  # the same call is always asked again in the same way
_MOST = 1 << 16  # entries of one array


def of_equal_sizes(one: Observation, axes: Axes, size: int, *, batch: bool) -> Observation | None:
    """The same call, not made yet, with `size` entries along each axis that the docstring names.

    Numbers are drawn from the argument's own, so dtype and range stay; masks hold both truth
    values. A whole number that bears an axis' name becomes `size`, in the constructor of an
    instance too. What has no axes stays.

    Args:
        batch: batch axes stay, with `size` entries each; else they go.

    Returns:
        None where no axis is named, or where their sizes cannot all be the same.
    """
    given = one.by_name(axes.parameters)
    named = axes.sizes(given)
    generator = np.random.default_rng(_SEED)
    equal = dict(given)
    for name, value in given.items():
        if isinstance(value, np.ndarray) or is_tensor(value):
            drawn = _equal(value, axes.arguments.get(name), size, generator, batch=batch)
            if drawn is None:
                return None
            equal[name] = drawn
        elif name in named and type(value) is int:
            equal[name] = size
    if not named:
        return None
    positional = [equal[name] for name, _ in zip(axes.parameters, one.arguments, strict=False)]
    return replace(
        one,
        arguments=(*positional, *one.arguments[len(positional) :]),
        named={name: equal[name] for name in one.named},
        answer=None,
        raised="",
        how=_constructed(one.how, axes, equal, dict.fromkeys(named, size)),
    )


def _constructed(how: How, axes: Axes, equal: Mapping[str, Any], sizes: Mapping[str, int]) -> How:
    """A plain call; of an instance with as large weights."""
    if how.construct is None:
        return PLAIN
    names = axes.construct[: len(how.construct)]
    construct = tuple(map(sizes.get, names, how.construct))
    return How(construct=construct, weights={name: equal[name] for name in how.weights})


def batch_axes(one: Observation, axes: Axes) -> int:
    """How many axes stand before those that the docstring names, in all arguments together."""
    found = 0
    for name, value in one.by_name(axes.parameters).items():
        if isinstance(value, np.ndarray) or is_tensor(value):
            tail = tail_of(axes.arguments.get(name), value.ndim)
            found += 0 if tail is None else value.ndim - len(tail)
    return found


def _equal(
    value: Any,
    named: tuple[str, ...] | None,
    size: int,
    generator: np.random.Generator,
    *,
    batch: bool,
) -> Any:
    """An array or tensor of equal sizes with the numbers of another; the other itself where no axis
    is named; None where there is none."""
    tail = tail_of(named, value.ndim)
    if tail is None:
        return value
    array = to_numpy(value) if is_tensor(value) else value
    before = array.ndim - len(tail)
    sizes = [_size(axis, was, size) for axis, was in zip(tail, array.shape[before:], strict=True)]
    shape = (*[size] * (before if batch else 0), *[one for one in sizes if one])
    count = math.prod(shape)
    if not all(sizes) or count > _MOST:
        return None
    own = np.arange(2) == 0 if array.dtype.kind == "b" else generator.permutation(array.ravel())
    drawn = generator.permutation(np.resize(own, count)).reshape(shape)
    return like(value, drawn) if is_tensor(value) else drawn


def _size(axis: str, was: int, size: int) -> int:
    """What an axis is to have; 0 where that cannot be said, as of `n + 1`."""
    choices = axis.split(" or ")  # "1 or n_q" may be broadcast
    if str(was) in choices:
        return was
    return size if any(one.isidentifier() for one in choices) else 0
