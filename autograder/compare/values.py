"""Are the values of the right form also the right values, and if not, what do they look like."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from autograder.compare.axes import Arguments, Axes, tail_of
from autograder.compare.form import form_of
from autograder.compare.mismatch import (
    Array,
    Mismatch,
    difference,
    mismatch,
    show,
)
from autograder.compare.relations import FACTOR, Pair, common_factor, relation
from autograder.compare.structure import Leaf, TextLeaf, pair
from autograder.compare.tolerance import (
    TOLERANCES,
    Closeness,
    comparable,
    floating_dtypes,
    judged_as,
    tolerance_of,
)

_NOT_SEEN = (
    "The shape is right, the values are not. Work a tiny case out by hand: "
    "where does yours first differ?"
)
_NUMBER = "Your number is not the expected one. Work a tiny case out by hand: what does it give?"
_TRUTH = "You answer the other way round. In which case should it be True?"
_TEXT = "Your answer is not the expected one. What decides between the possible answers?"
_FINITE = (
    "Some of your values are finite where they should not be. What stands for nothing at all there?"
)


def check_values(
    got: object, expected: object, arguments: Arguments, axes: Axes, *, hidden: bool
) -> Mismatch | None:
    """The first thing about `got` that is not as expected, its form before its values, or None.

    A value is right when it is within the tolerance of its dtype (`TOLERANCES`, by the narrowest
    floating-point argument). Infinities and NaN have to stand where they are expected. Integers
    and truth values have to be equal. Nothing is ever broadcast.

    Args:
        got, expected, arguments, axes, hidden: as in `check_form`.

    Raises:
        TypeError: `expected` holds something that cannot be compared, which is the reference's.
    """
    leaves = pair(got, expected, axes, hidden=hidden)
    if isinstance(leaves, Mismatch):
        return leaves
    problem = form_of(leaves, arguments, axes)
    if problem:
        return problem
    for leaf in leaves:
        if isinstance(leaf, TextLeaf) and leaf.got != leaf.expected:
            return _another_text(leaf)
    floating = floating_dtypes(arguments)
    with np.errstate(all="ignore"):
        compared = [_compare(leaf, floating) for leaf in leaves if isinstance(leaf, Leaf)]
        wrong = next((one for one in compared if one.wrong.any()), None)
        if wrong is None:
            return None
        return _exchanged(wrong, compared) or wrong.verdict(_sizes(arguments, axes))


def alike(
    got: object, other: object, arguments: Arguments, axes: Axes, *, any_width: bool = False
) -> bool:
    """Whether two values are the same: form, kind of numbers and values, to what is allowed.

    Unlike `check_values` neither of them is right, and there are no words.

    Args:
        any_width: whole numbers and floating-point numbers of any width may be the same.

    Raises:
        TypeError: `other` holds something that cannot be compared.
    """
    leaves = pair(got, other, axes, hidden=True)
    if isinstance(leaves, Mismatch):
        return False
    floating = floating_dtypes(arguments)
    with np.errstate(all="ignore"):
        return all(_leaf_alike(leaf, floating, any_width) for leaf in leaves)


def _leaf_alike(leaf: Leaf | TextLeaf, floating: Sequence[str], any_width: bool) -> bool:
    if isinstance(leaf, TextLeaf):
        return leaf.got == leaf.expected
    got, other = leaf.got, leaf.expected
    if got.shape != other.shape:
        return False
    numbers = {got.dtype.kind, other.dtype.kind} <= set("iuf")
    if got.dtype.kind != other.dtype.kind and not (any_width and numbers):
        return False
    floats = [name for name in leaf.dtypes if "float" in name]
    if not floats:
        return not bool(_compare(leaf, floating).wrong.any())
    if not any_width and len(set(floats)) > 1:
        return False
    allowed = [tolerance_of(got, floating), *map(TOLERANCES.get, floats)]
    loosest = max(filter(None, allowed), key=lambda one: one.relative)
    expected = comparable(other)
    return Closeness.to(expected, loosest).agree(comparable(got), expected)


def excess(got: object, expected: object, arguments: Arguments, axes: Axes) -> tuple[float, str]:
    """How far `got` is off, in multiples of what is allowed, and the dtype that it is judged as.

    Returns:
        0 for the same values, infinity where form, infinities, NaN or what has to be equal differ;
        "" where no floating-point number decides.
    """
    leaves = pair(got, expected, axes, hidden=True)
    if isinstance(leaves, Mismatch) or form_of(leaves, arguments, axes):
        return math.inf, ""
    floating = floating_dtypes(arguments)
    worst, dtype = 0.0, ""
    with np.errstate(all="ignore"):
        for leaf in leaves:
            off = _leaf_excess(leaf, floating)
            worst = max(worst, off)
            if isinstance(leaf, Leaf) and not _is_exact(leaf) and (off == worst or not dtype):
                dtype = judged_as(leaf.got, floating)
    return worst, dtype


def _leaf_excess(leaf: Leaf | TextLeaf, floating: Sequence[str]) -> float:
    if isinstance(leaf, TextLeaf):
        return math.inf if leaf.got != leaf.expected else 0.0
    one = _compare(leaf, floating)
    off = np.where(one.wrong, np.inf, 0.0)
    if not _is_exact(leaf):
        distance = np.abs(one.got - one.expected)  # 0 of an allowance of 0 is still 0
        multiple = distance / one.closeness.allowed(one.expected)
        measured = np.isfinite(one.expected) & np.isfinite(distance) & (distance > 0)
        off = np.where(measured, multiple, off)
    return float(off.max(initial=0.0))


def _sizes(arguments: Arguments, axes: Axes) -> dict[str, int]:
    """The sizes of the arguments' axes, and their whole numbers, by name."""
    if not isinstance(arguments, Mapping):
        arguments = dict(zip(axes.parameters, arguments, strict=False))
    whole = {name: value for name, value in arguments.items() if type(value) is int}
    return {**whole, **axes.sizes(arguments)}


def _another_text(leaf: TextLeaf) -> Mismatch:
    got, expected = show(leaf.got), show(leaf.expected)
    said = _TEXT if leaf.place.hidden else f"{_TEXT} (You answer {got}, expected {expected}.)"
    return mismatch("values", leaf.place.words(said), f"got {got}; expected {expected}")


@dataclass(frozen=True)
class _Compared:
    """One leaf of the right form beside what `relation` asks for."""

    leaf: Leaf
    got: Array  # in the widest arithmetic, as is `expected`
    expected: Array
    wrong: Array
    closeness: Closeness

    @property
    def truth(self) -> bool:
        """Whether these are truth values."""
        return self.leaf.got.dtype.kind == "b"

    def verdict(self, sizes: Mapping[str, int]) -> Mismatch:
        """What is seen, in words, with evidence for a public check."""
        pair = self._pair(sizes)
        name, said = self._seen(pair)
        if not self.leaf.place.hidden:
            said += self._evidence(common_factor(pair) if name == FACTOR else None)
        return mismatch("values", self.leaf.place.words(said), self.detail(name))

    def _pair(self, sizes: Mapping[str, int]) -> Pair:
        tail = tail_of(self.leaf.place.shape, self.got.ndim)
        batch = max(self.got.ndim - 2, 0) if tail is None else self.got.ndim - len(tail)
        return Pair(self.got, self.expected, self.wrong, batch, self.truth, self.closeness, sizes)

    def _seen(self, pair: Pair) -> tuple[str, str]:
        if not self.got.ndim:
            return ("inverted", _TRUTH) if self.truth else ("another number", _NUMBER)
        if (np.isfinite(self.got) & ~np.isfinite(self.expected)).any():
            return "finite", _FINITE
        seen = None if np.iscomplexobj(self.got) else relation(pair)
        return seen or ("none seen", _NOT_SEEN)

    def _evidence(self, factor: float | None) -> str:
        where, got, expected = difference(self.wrong, self.leaf.got, self.leaf.expected)
        said = f"{f'At {where} yours' if self.got.ndim else 'Yours'} is {got}, expected {expected}."
        times = "" if factor is None else f" Yours is {factor:.6g} times the expected one."
        return f" ({said}{times})"

    def detail(self, seen: str) -> str:
        """Shapes, dtypes, the first index that differs, both values there, and the relation."""
        label = f"{self.leaf.place.label}: " if self.leaf.place.label else ""
        where, got, expected = difference(self.wrong, self.leaf.got, self.leaf.expected)
        tolerance = self.closeness.tolerance
        return (
            f"{label}{self.leaf.described}; "
            f"{int(self.wrong.sum())} of {self.wrong.size} differ, first at {where}: "
            f"got {got}, expected {expected}; tolerance {tolerance.relative:g} of the value + "
            f"{tolerance.of_largest:g} of {self.closeness.largest:.6g}; seen: {seen}"
        )


def _compare(leaf: Leaf, floating: Sequence[str]) -> _Compared:
    got, expected = comparable(leaf.got), comparable(leaf.expected)
    closeness = Closeness.to(expected, tolerance_of(leaf.got, floating))
    wrong = leaf.got != leaf.expected if _is_exact(leaf) else closeness.wrong(got, expected)
    return _Compared(leaf, got, expected, np.asarray(wrong), closeness)


def _is_exact(leaf: Leaf) -> bool:
    """Whether nothing but equality will do."""
    return leaf.got.dtype.kind in "biu" and leaf.expected.dtype.kind in "biu"


def _exchanged(first: _Compared, compared: list[_Compared]) -> Mismatch | None:
    """What to say when a result is what another one should be, such as K in V's place."""
    for other in compared:
        label, others = first.leaf.place.label, other.leaf.place.label
        if label == others or first.got.size < 2:
            continue
        if first.closeness.agree(first.got, other.expected):
            said = f"Yours is what {others} should be. In which order are the results returned?"
            detail = first.detail(f"it is {others}")
            return mismatch("values", first.leaf.place.words(said), detail)
    return None
