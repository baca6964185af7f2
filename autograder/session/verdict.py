"""What came of running checks over one submission, before anything is named or counted."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

from autograder.grading import phrases
from autograder.grading.check import Check
from autograder.grading.observation import Observations
from autograder.grading.run import Case, Run
from autograder.manifest import Question
from autograder.results import Outcome
from autograder.sandbox import Served
from autograder.scoring import GradedCheck

Start = Callable[[Served], Run]

_WORST_FIRST = (Outcome.BROKEN, Outcome.FAILED, Outcome.PASSED, Outcome.SKIPPED)


@dataclass(frozen=True)
class Followed:
    """A question, run again with the references' earlier steps in the place of the student's.

    Args:
        served: the references' steps.
        origins: the student's earlier steps that failed.
        is_composed: what it gives follows the steps that it is given.
    """

    served: Served
    origins: list[Question]
    cases: list[Case]
    observations: Observations
    is_composed: bool


@dataclass(frozen=True)
class Verdict:
    """One submission's cases, what its code gave for each call, and how long it took.

    Args:
        start: begins another run of the same submission, with these functions served.
        followed: by the name of the question.
    """

    cases: list[Case]
    observations: Observations
    seconds: float
    start: Start
    followed: dict[str, Followed] = field(default_factory=dict)


def merged(check: Check, cases: Sequence[Case]) -> GradedCheck:
    """A check passes when every case of it that could run passes."""
    own = [case for case in cases if case.check == check]
    if not own:
        return unrun(check, Outcome.BROKEN, phrases.BROKEN, "no case of it was run")
    worst = min(own, key=lambda case: _WORST_FIRST.index(case.outcome))
    left_out = dict.fromkeys(
        f"a case was not run: {case.detail}"
        for case in own
        if case.outcome is Outcome.SKIPPED and case is not worst
    )
    return GradedCheck(
        name=check.name,
        outcome=worst.outcome,
        weight=check.weight,
        visibility=check.visibility,
        message=worst.message,
        detail="\n".join(filter(None, [worst.detail, *left_out])),
        seconds=round(sum(case.seconds for case in own), 4),
    )


def unrun(check: Check, outcome: Outcome, message: str, detail: str) -> GradedCheck:
    """A check of which nothing was run."""
    return GradedCheck(
        name=check.name,
        outcome=outcome,
        weight=check.weight,
        visibility=check.visibility,
        message=message,
        detail=detail,
    )
