"""Known answers, right and wrong, graded by an assignment's graders: what each of them loses."""

from __future__ import annotations

import os
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import msgspec

from autograder.errors import CourseError
from autograder.forks import Produced, run_all
from autograder.grading.local import LocalSandbox, staged_as
from autograder.grading.mistakes import Variant
from autograder.manifest import Manifest
from autograder.results import Check, Outcome, Question, Result
from autograder.session import Graders
from autograder.verify.errors import Errors, errors_of

SECONDS = 120.0  # for one answer; ours all of them end


@dataclass(frozen=True)
class Trial:
    """One known answer, graded.

    Args:
        answer: a mistake is a variant as well.
        errors: how far its values were off.
    """

    answer: Variant
    seed: int
    result: Result
    errors: Errors

    def question(self, name: str) -> Question:
        """What it got for one question."""
        return next(one for one in self.result.questions if one.name == name)

    @property
    def lost(self) -> list[str]:
        """The questions in which it lost points, or which could not be graded."""
        return [one.name for one in self.result.questions if one.score != one.max_score]

    @property
    def killers(self) -> list[Check]:
        """The checks of its own question that fail it."""
        checks = self.question(self.answer.question).checks
        return [check for check in checks if check.outcome is Outcome.FAILED]


class _Sent(msgspec.Struct):
    """What a trial's process sends back."""

    result: Result
    errors: Errors


def try_all(graders: Graders, answers: Sequence[Variant], seeds: Sequence[int]) -> list[Trial]:
    """Grade the references with one function replaced by each answer, with each seed; side by side.

    Only its own question's checks are run, and with the first seed those of the questions that
    build on it: others never call it, which `stray_imports` sees to. Answers to a question that is
    not enabled are left out: it has no checks.

    Raises:
        CourseError: an answer could not be graded.
    """
    graded = {question.name for question in graders.assignment.manifest.enabled_questions}
    jobs = [(one, seed) for one in answers if one.question in graded for seed in seeds]
    order = {job: place for place, job in enumerate((one.name, seed) for one, seed in jobs)}

    def produce(job: tuple[Variant, int]) -> bytes:
        answer, seed = job
        own = {answer.question}
        if seed == seeds[0]:
            own |= dependents(graders.assignment.manifest, answer.question)
        return msgspec.msgpack.encode(_tried(graders.only(own), answer, seed))

    trials = [
        _received(produced)
        for produced in run_all(jobs, produce, workers=os.cpu_count() or 1, seconds=SECONDS)
    ]
    return sorted(trials, key=lambda one: order[one.answer.name, one.seed])


def _tried(graders: Graders, answer: Variant, seed: int) -> _Sent:
    sandbox = LocalSandbox(graders.assignment, {answer.function: answer.call})
    staged = staged_as(answer.name, graders.assignment)
    verdict = graders.run(staged, sandbox, seed)
    result = graders.result_of(verdict, staged, sandbox.confinement, seed, "")
    return _Sent(result, errors_of(verdict.observations, graders.references))


def _received(produced: Produced[tuple[Variant, int]]) -> Trial:
    answer, seed = produced.job
    sent = msgspec.msgpack.decode(data_of(produced, answer, "Nothing was proved."), type=_Sent)
    return Trial(answer, seed, sent.result, sent.errors)


def data_of(produced: Produced[Any], answer: Variant, undone: str) -> bytes:
    """What came of grading one answer; raises `CourseError` where nothing did."""
    if produced.failure:
        problem = f"could not be graded: {produced.failure.strip()} - at {answer.name}"
        raise CourseError(answer.where, problem, "mend it.", undone)
    return produced.data


def dependents(manifest: Manifest, question: str) -> set[str]:
    """The questions that build on one, directly or not: its mistakes may cost points there."""
    return {
        one.name
        for one in manifest.questions
        if question in [needed.name for needed in manifest.builds_on(one)]
    }
