"""Which checks fail known answers, and what they found: no points and no causes, and so a fraction
of a trial's time."""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping, Sequence
from typing import Any

import msgspec

from autograder.forks import run_all
from autograder.grading.local import LocalSandbox, staged_as
from autograder.grading.mistakes import Variant
from autograder.grading.run import Case
from autograder.results import Outcome
from autograder.session import Graders
from autograder.verify.trials import SECONDS, data_of

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
        data = data_of(one, one.job, "Nothing was written.")
        said[one.job.name] = msgspec.msgpack.decode(data, type=Found)
    return said


def cases_of(
    graders: Graders,
    question: str,
    name: str,
    replaced: Mapping[str, Callable[..., Any]],
    seed: int,
) -> list[Case]:
    """How the cases of one question's checks end with functions of the references replaced.

    Args:
        name: of the answer: its inputs are drawn for it.
    """
    sandbox = LocalSandbox(graders.assignment, replaced)
    staged = staged_as(name, graders.assignment)
    return graders.only({question}).run(staged, sandbox, seed).cases


def _found(graders: Graders, answer: Variant, seed: int) -> Found:
    replaced = {answer.function: answer.call}
    cases = cases_of(graders, answer.question, answer.name, replaced, seed)
    broken = {case.check.name for case in cases if case.outcome is Outcome.BROKEN}
    found: Found = {}
    for case in cases:
        if case.outcome is Outcome.FAILED and case.check.name not in broken:
            found.setdefault(case.check.name, case.detail)
    return found
