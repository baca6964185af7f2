"""Which checks fail known answers, and what they found: no points and no causes, and so a fraction
of a trial's time."""

from __future__ import annotations

import os
from collections.abc import Sequence

import msgspec

from autograder.errors import CourseError
from autograder.forks import run_all
from autograder.grading.local import LocalSandbox, staged_as
from autograder.grading.mistakes import Variant
from autograder.results import Outcome
from autograder.session import Graders
from autograder.verify.trials import SECONDS

Found = dict[str, str]  # by the failing check's name: the detail of its first failing case


def failing_checks(graders: Graders, answers: Sequence[Variant], seed: int) -> dict[str, Found]:
    """What the checks of its own question say against each answer; side by side.

    Raises:
        CourseError: an answer could not be graded.
    """

    def produce(answer: Variant) -> bytes:
        return msgspec.msgpack.encode(_found(graders, answer, seed))

    said: dict[str, Found] = {}
    for one in run_all(answers, produce, workers=os.cpu_count() or 1, seconds=SECONDS):
        if one.failure:
            problem = f"could not be graded: {one.failure.strip()} - at {one.job.name}"
            raise CourseError(one.job.where, problem, "mend it.", "Nothing was written.")
        said[one.job.name] = msgspec.msgpack.decode(one.data, type=Found)
    return said


def _found(graders: Graders, answer: Variant, seed: int) -> Found:
    sandbox = LocalSandbox(graders.assignment, {answer.function: answer.call})
    staged = staged_as(answer.name, graders.assignment)
    cases = graders.only({answer.question}).run(staged, sandbox, seed).cases
    broken = {case.check.name for case in cases if case.outcome is Outcome.BROKEN}
    found: Found = {}
    for case in cases:
        if case.outcome is Outcome.FAILED and case.check.name not in broken:
            found.setdefault(case.check.name, case.detail)
    return found
