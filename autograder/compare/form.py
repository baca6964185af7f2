"""Does a value have the form of the expected one: structure, shape, dtype, finite, in this order;
whether its values are right is not asked here."""

from __future__ import annotations

import itertools
from collections.abc import Mapping, Sequence

import numpy as np

from autograder.compare.axes import Arguments, Axes
from autograder.compare.mismatch import (
    Array,
    Kind,
    Mismatch,
    difference,
    mismatch,
    show_shape,
)
from autograder.compare.shapes import shape_words
from autograder.compare.structure import Leaf, Leaves, pair
from autograder.compare.tolerance import floating_dtypes
from autograder.text import joined
from autograder.wire import width_of

_HOLDS = {
    "b": "True and False",
    "i": "integers",
    "u": "integers",
    "f": "floating-point numbers",
    "c": "complex numbers",
}


def check_form(
    got: object, expected: object, arguments: Arguments, axes: Axes, *, hidden: bool
) -> Mismatch | None:
    """The first thing about the form of `got` that is not as expected, or None.

    Args:
        got: what a student's function returned, as it came over the wire.
        expected: what the reference returned for the same arguments.
        arguments: those arguments, in order or by name.
        axes: the reference's, see `axes_of`.
        hidden: the message may hold no size and no value.

    Raises:
        TypeError: `expected` holds something that cannot be compared, which is the reference's.
    """
    leaves = pair(got, expected, axes, hidden=hidden)
    return leaves if isinstance(leaves, Mismatch) else form_of(leaves, arguments, axes)


def form_of(leaves: Leaves, arguments: Arguments, axes: Axes) -> Mismatch | None:
    """Shape, dtype and finiteness of every leaf: each asked of all before the next."""
    with np.errstate(all="ignore"):
        return _form_of(leaves, arguments, axes)


def _form_of(leaves: Leaves, arguments: Arguments, axes: Axes) -> Mismatch | None:
    sizes = axes.sizes(arguments)
    width = max(map(width_of, floating_dtypes(arguments)), default=0)
    arrays = [leaf for leaf in leaves if isinstance(leaf, Leaf)]
    asked = itertools.chain(
        (_shape(leaf, sizes, arrays) for leaf in arrays),
        (_dtype(leaf, width) for leaf in arrays),
        (_finite(leaf) for leaf in arrays),
    )
    return next((problem for problem in asked if problem), None)


def _shape(leaf: Leaf, sizes: Mapping[str, int], leaves: Sequence[Leaf]) -> Mismatch | None:
    got, expected = leaf.got.shape, leaf.expected.shape
    if got == expected:
        return None
    others = [one.place.label for one in leaves if one.expected.shape == got]
    if others and leaf.place.label not in others:
        said = f"Yours has the shape of {joined(others, 'or')}. Which of the results is it?"
    else:
        said = shape_words(got, expected, leaf.place.shape, sizes)
    if not leaf.place.hidden:
        said += f" (Your shape is {show_shape(got)}, expected {show_shape(expected)}.)"
    named = ", ".join(f"{axis}={size}" for axis, size in sizes.items())
    return _verdict("shape", leaf, said, f"axes: {named or 'not named'}")


def _dtype(leaf: Leaf, width: int) -> Mismatch | None:
    """What is wrong with the kind of numbers; None when nothing is.

    Args:
        width: bytes of the widest floating-point number among the arguments.
    """
    left, right = leaf.got.dtype.kind, leaf.expected.dtype.kind
    accepted = {right, "i", "u", "f"} if right in "iu" else {right}
    if right == "f" and leaf.from_python:  # 0 where 0.0 is meant
        accepted |= {"i"}
    if left not in accepted:
        holds = _HOLDS.get(left, "something that is not numbers")
        said = f"Yours holds {holds}; {_HOLDS[right]} are expected. Which line decides that?"
    elif leaf.tensors:
        return _tensor_dtype(leaf)
    elif left == "f" and leaf.got.dtype.itemsize < width:
        said = (
            "Yours is narrower than the floating-point numbers that came in: digits are lost. "
            "Which line decides how wide it is?"
        )
    else:
        return None
    if not leaf.place.hidden:
        said += f" (Its dtype is {leaf.got.dtype}.)"
    return _verdict("dtype", leaf, said, f"widest argument: {width} bytes")


def _tensor_dtype(leaf: Leaf) -> Mismatch | None:
    """What is wrong with a tensor's dtype, which has to be exactly the expected one."""
    got, expected = leaf.dtypes
    if got == expected:
        return None
    said = "Yours is a tensor of another dtype than is expected. Which line decides that?"
    if not leaf.place.hidden:
        said += f" (Its dtype is {got}, expected {expected}.)"
    return _verdict("dtype", leaf, said, "")


def _finite(leaf: Leaf) -> Mismatch | None:
    if leaf.got.dtype.kind not in "fc":
        return None
    wrong = ~np.isfinite(leaf.got) & np.isfinite(leaf.expected)
    if not wrong.any():
        return None
    nan = np.isnan(leaf.got[wrong])
    seen = "NaN" if nan.all() else "NaN or infinite" if nan.any() else "infinite"
    said = (
        f"{_which(wrong)} {seen}; all of these should be finite. "
        "Which operation cannot cope with what it is given?"
    )
    where, _, _ = difference(wrong, leaf.got, leaf.expected)
    if not leaf.place.hidden and leaf.got.ndim:
        said += f" (The first is at {where}.)"
    return _verdict("finite", leaf, said, f"{int(wrong.sum())} not finite, first at {where}")


def _which(wrong: Array) -> str:
    """Where something is not finite: everywhere, in whole rows, or in some places.

    Args:
        wrong: (...), boolean, at least one True.
    """
    if wrong.all():
        return "All your values are" if wrong.ndim else "Your value is"
    in_rows = wrong.ndim > 1 and bool((wrong.any(axis=-1) == wrong.all(axis=-1)).all())
    return "Whole rows of yours are" if in_rows else "Some of your values are"


def _verdict(kind: Kind, leaf: Leaf, said: str, evidence: str) -> Mismatch:
    label = f"{leaf.place.label}: " if leaf.place.label else ""
    detail = "; ".join(filter(None, (f"{label}{leaf.described}", evidence)))
    return mismatch(kind, leaf.place.words(said), detail)
