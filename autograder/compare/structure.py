"""Which value stands for which expected one: containers and kinds of values; looks into no array.

What is expected decides how deep this goes, so a hostile value cannot.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from autograder.compare.axes import Axes, Returned, Shape
from autograder.compare.mismatch import Array, Mismatch, describe, mismatch, show_shape
from autograder.text import joined
from autograder.wire import FOREIGN_KINDS, Foreign, dtype_of, is_tensor, to_numpy

_COUNTS = ("no", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten")
_ORDINALS = ("first", "second", "third", "fourth", "fifth", "sixth", "seventh", "eighth")
_KINDS = ((str, "text"), (list, "a list"), (tuple, "a tuple"), (Mapping, "a dictionary"))
_OTHER = "an object of another kind"


@dataclass(frozen=True)
class Place:
    """Where in the result a value stands.

    Args:
        label: which of several results it belongs to; "" when there is one.
        shape: its axes by the docstring.
        hidden: whether words about it belong to a hidden check.
    """

    label: str
    shape: Shape | None
    hidden: bool

    def words(self, sentence: str) -> str:
        """`sentence` with the result's name before it."""
        return f"{self.label}: {sentence[0].lower()}{sentence[1:]}" if self.label else sentence


@dataclass(frozen=True)
class Leaf:
    """A number or array beside the expected one.

    Args:
        from_python: it came as a number of Python's, which has no width.
        tensors: the dtypes of both, where tensors are compared; else None.
    """

    place: Place
    got: Array
    expected: Array
    from_python: bool = False
    tensors: tuple[str, str] | None = None

    @property
    def dtypes(self) -> tuple[str, str]:
        """The names of both dtypes."""
        return self.tensors or (self.got.dtype.name, self.expected.dtype.name)

    @property
    def described(self) -> str:
        """Dtype and shape of both, for an instructor."""
        if self.tensors is None:
            return f"got {describe(self.got)}; expected {describe(self.expected)}"
        shapes = (show_shape(self.got.shape), show_shape(self.expected.shape))
        (got, expected), (mine, right) = self.tensors, shapes
        return f"got {got} tensor {mine}; expected {expected} tensor {right}"


@dataclass(frozen=True)
class TextLeaf:
    """A text beside the expected one."""

    place: Place
    got: str
    expected: str


Leaves = list[Leaf | TextLeaf]


def as_array(value: object) -> Array | None:
    """Numbers, arrays and tensors as an array of the same axes; None for anything else."""
    if is_tensor(value) and dtype_of(value):
        return to_numpy(value)
    if isinstance(value, np.ndarray | np.generic):
        return np.asarray(value)
    if isinstance(value, int) and not -(1 << 63) <= value < 1 << 63:
        return np.asarray(np.inf if value > 0 else -np.inf)
    return np.asarray(value) if isinstance(value, bool | int | float) else None


def pair(got: object, expected: object, axes: Axes, *, hidden: bool) -> Leaves | Mismatch:
    """Every leaf of `expected` beside its own in `got`, in order, or what the structure lacks.

    A list may stand for a tuple and a tuple for a list. Numbers of Python's and arrays without
    axes stand for each other.

    Raises:
        TypeError: `expected` holds something that is neither a number, an array, text nor None.
    """
    if not isinstance(expected, list | tuple):
        return _pair(got, expected, Place("", axes.result(0, 1).shape, hidden))
    results = [axes.result(at, len(expected)) for at in range(len(expected))]
    problem = _wrong_length(got, expected, Place("", None, hidden), results)
    if problem:
        return problem
    places = [
        Place(result.name or f"{ordinal(at)} value", result.shape, hidden)
        for at, result in enumerate(results)
    ]
    return _children(got, expected, dict(enumerate(places)))


def _pair(got: Any, expected: object, place: Place) -> Leaves | Mismatch:
    if isinstance(expected, list | tuple):
        inner = Place(place.label, None, place.hidden)
        keys = range(len(expected))
        problem = _wrong_length(got, expected, place, [])
        return problem or _children(got, expected, dict.fromkeys(keys, inner))
    if isinstance(expected, Mapping):
        named = {key: Place(f"{place.label} {key}".strip(), None, place.hidden) for key in expected}
        return _wrong_keys(got, expected, place) or _children(got, expected, named)
    wanted, is_right = _expectation(got, expected)
    if not is_right:
        said = f"You return {kind_of(got)}; {wanted} is expected. {_question(got)}"
        return _structure(place.words(said), got, expected)
    if isinstance(got, str) and isinstance(expected, str):
        return [TextLeaf(place, got, expected)]
    left, right = as_array(got), as_array(expected)
    if left is None or right is None:  # None, as it should be: nothing to compare
        return []
    tensors = (str(dtype_of(got)), str(dtype_of(expected))) if is_tensor(expected) else None
    from_python = not (tensors or isinstance(got, np.ndarray | np.generic))
    return [Leaf(place, left, right, from_python, tensors)]


def _children(got: Any, expected: Any, places: Mapping[Any, Place]) -> Leaves | Mismatch:
    leaves: Leaves = []
    for key, place in places.items():
        found = _pair(got[key], expected[key], place)
        if isinstance(found, Mismatch):
            return found
        leaves += found
    return leaves


def _wrong_length(
    got: object, expected: list[Any] | tuple[Any, ...], place: Place, results: list[Returned]
) -> Mismatch | None:
    """What to say unless `got` is a list or tuple as long as `expected`."""
    if isinstance(got, list | tuple) and len(got) == len(expected):
        return None
    names = [result.name for result in results]
    named = f": {joined(names)}" if names and all(names) else ""
    wanted = "a list is expected"
    if isinstance(expected, tuple):  # its length is in the docstring; a list's may be ours to hide
        count = len(expected)
        number = _COUNTS[count] if count < len(_COUNTS) else "several"
        wanted = f"{number} {'is' if count == 1 else 'are'} expected{named}"
    if isinstance(got, list | tuple):
        amount = "few" if len(got) < len(expected) else "many"
        said = f"You return too {amount} values; {wanted}. What should each of them be?"
        said += "" if place.hidden else f" (You return {len(got)}, expected {len(expected)}.)"
    else:
        said = f"You return {kind_of(got)}; {wanted}. {_question(got)}"
    return _structure(place.words(said), got, expected)


def _wrong_keys(got: object, expected: Mapping[Any, object], place: Place) -> Mismatch | None:
    """What to say unless `got` is a dictionary of the same keys."""
    if not isinstance(got, Mapping):
        said = f"You return {kind_of(got)}; a dictionary is expected. {_question(got)}"
    elif got.keys() != expected.keys():
        said = "Your dictionary does not have the entries that are expected. Which should it have?"
    else:
        return None
    return _structure(place.words(said), got, expected)


def _expectation(got: object, expected: object) -> tuple[str, bool]:
    """What is expected, in words, and whether `got` is of that kind."""
    if expected is None:
        return "nothing (None)", got is None
    if isinstance(expected, str):
        return "text", isinstance(got, str)
    left, right = as_array(got), as_array(expected)
    if right is None or right.dtype.kind not in "biufc":
        raise TypeError(f"a reference returned {type(expected).__name__}: it cannot be compared")
    if is_tensor(expected):
        return "a tensor", is_tensor(got)
    if right.ndim:
        return "an array", not is_tensor(got) and left is not None and left.ndim > 0
    kind = "True or False" if right.dtype.kind == "b" else "a single number"
    return kind, left is not None and left.ndim == 0


def kind_of(value: object) -> str:
    """What a value is, in words for a student; never a name that a student chose."""
    if value is None:
        return "nothing (None)"
    if isinstance(value, Foreign):
        return value.kind if value.kind in FOREIGN_KINDS else _OTHER
    array = as_array(value)
    if is_tensor(value):
        return "a tensor"
    if array is not None and array.ndim:
        return "one array"
    if array is not None:
        return "True or False" if array.dtype.kind == "b" else "a single number"
    return next((words for kind, words in _KINDS if isinstance(value, kind)), _OTHER)


def ordinal(at: int) -> str:
    """Place number `at` (from 0) in words."""
    return _ORDINALS[at] if at < len(_ORDINALS) else "a later"


def _question(got: object) -> str:
    if got is None:
        return "Does every way through your function end in a return?"
    return "What does your last line return?"


def _structure(message: str, got: object, expected: object) -> Mismatch:
    return mismatch("structure", message, f"got {describe(got)}; expected {describe(expected)}")
