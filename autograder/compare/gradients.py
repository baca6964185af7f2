"""Are the gradients of a call's arguments those of the reference; takes them as they are told."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

from autograder.compare.axes import Axes, Returned
from autograder.compare.mismatch import Mismatch, describe, mismatch
from autograder.compare.structure import as_array
from autograder.compare.values import check_values

_NONE = (
    "No gradient reaches argument {name}. Where does your code leave the graph: with a value of "
    "Python's or NumPy's, a detached tensor, or a tensor made anew?"
)


def check_gradients(
    got: Sequence[object] | None,
    expected: Sequence[object],
    arguments: Mapping[str, object],
    axes: Axes,
    *,
    hidden: bool,
) -> Mismatch | None:
    """The first argument whose gradient is not the expected one, or None.

    Args:
        got: one for each argument, None where no gradient reaches it; None where there are none.
        expected: likewise. What reaches an argument without an expected one is not looked at.
        arguments: by name, in the same order.
        axes: the reference's.
        hidden: the message may hold no size and no value.
    """
    told = [None] * len(expected) if got is None else got
    for name, one, right in zip(arguments, told, expected, strict=True):
        numbers = as_array(right)
        if numbers is None or (one is None and not numbers.any()):
            continue  # none is as good as zeros
        if one is None:
            detail = f"gradient of {name}: none; expected {describe(right)}"
            return mismatch("gradient", _NONE.format(name=name), detail)
        shaped = replace(axes, returns=(Returned("", axes.arguments.get(name)),))
        wrong = check_values(one, right, arguments, shaped, hidden=hidden)
        if wrong is not None:
            said = f"The gradient of {name}: {wrong.message[0].lower()}{wrong.message[1:]}"
            return mismatch("gradient", said, f"gradient of {name}: {wrong.kind}: {wrong.detail}")
    return None
