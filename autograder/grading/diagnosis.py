"""Which known mistake behaves as a student's code did: called on the very inputs of the checks, in
this process. Only what the student's code gave is looked at, never the code."""

from __future__ import annotations

import copy
from collections.abc import Sequence
from dataclasses import dataclass
from types import SimpleNamespace
from typing import Any

import numpy as np

from autograder import wire
from autograder.compare import Axes, alike, axes_of
from autograder.grading.check import Check
from autograder.grading.local import LocalCode
from autograder.grading.mistakes import Mistake
from autograder.grading.references import References
from autograder.sandbox import Answer, StudentRaised

KEPT = 4 << 20  # bytes of one answer: those of a whole submission are kept until its end
TOO_LARGE = "too large to keep"  # no mistake raises it


NOT_WRITTEN = "NotImplementedError"  # a stub's own; no mistake


@dataclass(frozen=True)
class Observation:
    """One call of a student's function, and what came of it, as it was then: a check may go on to
    change its arrays.

    Args:
        answer: None where it raised, or gave too much to keep.
        raised: the exception's kind; "" where it gave a value.
    """

    check: Check
    function: str
    arguments: tuple[object, ...]
    named: dict[str, object]
    answer: Answer | None
    raised: str = ""

    def __post_init__(self) -> None:
        if self.answer is not None and _size([self.answer.value, self.answer.arguments]) > KEPT:
            object.__setattr__(self, "answer", None)
            object.__setattr__(self, "raised", TOO_LARGE)
        for name in ("arguments", "named", "answer"):
            object.__setattr__(self, name, copy.deepcopy(getattr(self, name)))


@dataclass(frozen=True)
class Cause:
    """A known mistake, and the failed checks that it explains."""

    mistake: Mistake
    checks: frozenset[Check]


def cause_of(
    mistakes: Sequence[Mistake],
    references: References,
    observations: Sequence[Observation],
    failed: frozenset[Check],
) -> Cause | None:
    """The mistake that explains most of a question's failed checks; None where none explains one.

    It must behave as the student did on every input of each check that it explains, and on every
    input of each check that passed. Of equals the more fundamental one is named.

    Args:
        mistakes: those of the question.
        observations: of the question's checks, passed ones too.
        failed: the checks that failed.
    """
    if any(one.raised == NOT_WRITTEN for one in observations):
        return None
    causes = [
        cause
        for mistake in mistakes
        if (cause := _explained(mistake, references, observations, failed)) is not None
    ]
    return min(causes, key=lambda one: (-len(one.checks), one.mistake.place), default=None)


def _explained(
    mistake: Mistake,
    references: References,
    observations: Sequence[Observation],
    failed: frozenset[Check],
) -> Cause | None:
    own = [one for one in observations if one.function == mistake.function]
    own.sort(key=lambda one: one.check not in failed)  # most mistakes are refuted there at once
    at_issue = failed.intersection(one.check for one in own)
    axes = axes_of(getattr(references, mistake.function))
    code = LocalCode(SimpleNamespace(**{mistake.function: mistake.call}))
    refuted: set[Check] = set()
    for one in own:
        if refuted >= at_issue:
            return None
        if one.check in refuted:
            continue
        passed = one.check not in failed
        # Where the student is right, so is the mistake: two right answers may differ in width.
        if not _same(one, _behaviour(code, one), axes, any_width=passed):
            if passed:
                return None
            refuted.add(one.check)
    explained = at_issue - refuted
    return Cause(mistake, explained) if explained else None


def _behaviour(code: LocalCode, one: Observation) -> Answer | str:
    """What the mistake gives for the same arguments, or the exception that it raises."""
    try:
        return code.call("", one.function, one.arguments, one.named, wire.Deadline())
    except StudentRaised as error:
        return error.kind


def _same(one: Observation, other: Answer | str, axes: Axes, *, any_width: bool) -> bool:
    if isinstance(other, str) or one.answer is None:
        return one.answer is None and other == one.raised
    arguments = [*one.arguments, *one.named.values()]
    pairs = [(one.answer.value, other.value)]
    if one.answer.arguments is None or other.arguments is None:
        if one.answer.arguments is not other.arguments:
            return False
    else:
        pairs += zip(one.answer.arguments, other.arguments, strict=True)
    try:
        return all(_alike(got, given, arguments, axes, any_width) for got, given in pairs)
    except TypeError:  # it gave something that cannot be compared
        return False


def _alike(
    got: object, given: object, arguments: Sequence[object], axes: Axes, any_width: bool
) -> bool:
    if isinstance(given, wire.Foreign):  # an object that is no value, such as a generator
        return isinstance(got, wire.Foreign) and got == given
    return alike(got, given, arguments, axes, any_width=any_width)


def _size(value: Any) -> int:
    """About how many bytes a value of a worker's takes; never deep, see `wire`."""
    if isinstance(value, np.ndarray):
        return value.nbytes
    if isinstance(value, dict):
        return sum(map(_size, (*value, *value.values())))
    if isinstance(value, list | tuple):
        return sum(map(_size, value))
    return len(value) if isinstance(value, str) else 64
