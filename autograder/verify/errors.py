"""How far known answers are off, in multiples of what is allowed."""

from __future__ import annotations

import math
from collections.abc import Iterable

from autograder.compare import axes_of, excess
from autograder.grading.behaviour import called
from autograder.grading.local import LocalCode
from autograder.grading.observation import Observation
from autograder.grading.references import References

Errors = list[tuple[str, str, float]]  # "question/check", dtype, the largest finite error


def errors_of(observations: Iterable[Observation], references: References) -> Errors:
    """The largest finite error by check and dtype; another form is no matter of bounds."""
    worst: dict[tuple[str, str], float] = {}
    for one in observations:
        if one.answer is None:
            continue
        expected = called(LocalCode(references), one)
        if isinstance(expected, str):  # then the check is broken, which is said where it is judged
            continue
        axes = axes_of(getattr(references, one.function))
        arguments = one.by_name(axes.parameters)
        off, dtype = excess(one.answer.value, expected.value, arguments, axes)
        if dtype and math.isfinite(off):
            place = (f"{one.check.question}/{one.check.name}", dtype)
            worst[place] = max(worst.get(place, 0.0), off)
    return [(*place, off) for place, off in worst.items()]
