"""Did a call leave its arguments alone; takes the values after it as they are told."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from autograder.compare.axes import Arguments, Axes
from autograder.compare.mismatch import Array, Mismatch, describe, difference, mismatch
from autograder.compare.structure import as_array, ordinal

_GONE = object()  # stands for an argument that did not come back


def check_unmodified(
    before: Arguments, after: Arguments, axes: Axes | None = None
) -> Mismatch | None:
    """The first argument that is not after a call what it was before, or None.

    Values count, bit patterns do not: NaN stays NaN, 0.0 may become -0.0. Arguments that are no
    data (a function, a generator) are not looked at. The words hold no size and no value, so they
    fit a hidden check too.

    Args:
        before: the grader's own copies.
        after: the same arguments after the call, as they came over the wire.
        axes: the reference's, for the parameters' names.
    """
    parameters = axes.parameters if axes else ()
    ours = _by_key(before)
    theirs = _by_key(after)
    for at, (key, value) in enumerate(ours.items()):
        changed = theirs.get(key, _GONE)
        if _same(value, changed):
            continue
        name = key if isinstance(key, str) else parameters[at] if at < len(parameters) else ""
        which = f"argument {name}" if name else f"{ordinal(at)} argument"
        said = (
            f"Your function changes its {which}: whoever called it finds other values there. "
            "Which line writes into it?"
        )
        return mismatch("modified", said, f"{which}: {_detail(value, changed)}")
    return None


def _by_key(arguments: Arguments) -> dict[object, object]:
    if isinstance(arguments, Mapping):
        return dict(arguments.items())
    return dict(enumerate(arguments))


def _same(before: object, after: object) -> bool:
    left, right = as_array(before), as_array(after)
    if left is not None and not left.dtype.hasobject:
        if right is None or left.dtype != right.dtype or left.shape != right.shape:
            return False
        return not _differs(left, right).any()
    if isinstance(before, list | tuple):
        if not isinstance(after, list | tuple) or len(before) != len(after):
            return False
        return all(_same(one, other) for one, other in zip(before, after, strict=True))
    if isinstance(before, Mapping):
        if not isinstance(after, Mapping) or before.keys() != after.keys():
            return False
        return all(_same(value, after[key]) for key, value in before.items())
    if isinstance(before, str):
        return isinstance(after, str) and before == after
    return before is not None or after is None


def _differs(left: Array, right: Array) -> Array:
    """Where two arrays of one shape and dtype differ, NaN being equal to NaN."""
    differs = left != right
    if left.dtype.kind in "fc":
        differs &= ~(np.isnan(left) & np.isnan(right))
    return np.asarray(differs)


def _detail(before: object, after: object) -> str:
    left, right = as_array(before), as_array(after)
    text = f"before {describe(before)}; after {describe(after)}"
    if left is None or right is None or left.shape != right.shape or left.dtype != right.dtype:
        return text
    wrong = _differs(left, right)
    where, new, old = difference(wrong, right, left)
    return f"{text}; first at {where}: before {old}, after {new}; {int(wrong.sum())} changed"
