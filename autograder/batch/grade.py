"""A class, graded: what is done already is kept, the rest is graded side by side; every submission
gets exactly one result, whatever happens to the process that grades it."""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Generator, Sequence
from dataclasses import dataclass
from pathlib import Path

import msgspec

from autograder.batch.folder import OutputFolder
from autograder.errors import CourseError
from autograder.forks import Produced, run_all
from autograder.grading.devices import CPU
from autograder.grading.grading import sandbox_for
from autograder.grading.references import ready_for_forks
from autograder.manifest import Assignment
from autograder.results import Result, decode_result, encode_result
from autograder.sandbox import Confinement, Sandbox, TooWeak
from autograder.session import Graders, assignment_fingerprint, submission_key, with_graders
from autograder.submissions import Staged, Submission

OWN_SECONDS = 60.0  # of our own code, on top of what student code may take


@dataclass(frozen=True)
class Graded:
    """One submission's result, and whether it was there already."""

    result: Result
    resumed: bool


@dataclass(frozen=True)
class Plan:
    """How a class is to be graded.

    Args:
        seed: of the inputs.
        jobs: how many submissions at a time.
        private: the submissions and the results, which no worker may read.
        accept: raises `TooWeak` when this confinement is not enough for these submissions.
        announce: called with what the sandbox gives, before any student code runs.
        report: called with each submission's result once it is on disk.
        device: cuda: cases for a GPU are run as well.
    """

    seed: int
    jobs: int
    private: Sequence[Path]
    accept: Callable[[Confinement], None]
    announce: Callable[[Confinement], None]
    report: Callable[[Graded], None]
    device: str = CPU


def grade_class(
    assignment: Assignment, submissions: Sequence[Submission], folder: OutputFolder, plan: Plan
) -> Sequence[Result]:
    """Grade what is not graded yet; every submission's result, in the order given, on disk.

    Args:
        folder: locked by the caller.

    Raises:
        CourseError: the graders are wrong, there is no sandbox, or a result cannot be written.
    """
    fingerprint = assignment_fingerprint(assignment, plan.device)
    todo: list[Submission] = []
    for submission in submissions:
        staged = _staged(submission)
        key = submission_key(fingerprint, staged, plan.seed) if staged else ""
        finished = folder.finished(submission.id, key)
        if finished is None or not _was_confined(finished, plan):
            todo.append(submission)
        else:
            plan.report(Graded(finished, resumed=True))

    def keep(result: Result) -> None:
        folder.keep(result)
        plan.report(Graded(result, resumed=False))

    if todo:
        with_graders(
            assignment,
            lambda graders: _Class(graders, plan, fingerprint).grade(todo, keep, folder.keep),
            device=plan.device,
        )
    return folder.kept([submission.id for submission in submissions])


def _was_confined(result: Result, plan: Plan) -> bool:
    """Whether it was graded with what is demanded now: a weak result does not become a strong one
    by moving to another machine."""
    try:
        plan.accept(Confinement(tuple(result.environment.isolation.layers)))
    except TooWeak:
        return False
    return True


def _staged(submission: Submission) -> Staged | None:
    """Its files; None when the machine cannot read them: grading it then says why."""
    with contextlib.suppress(CourseError):
        return submission.stage()
    return None


class _Class:
    """The part of a class that is graded now, with one sandbox for all of it."""

    def __init__(self, graders: Graders, plan: Plan, fingerprint: str) -> None:
        self._graders = graders
        self._plan = plan
        self._fingerprint = fingerprint
        self._sandbox = self._open()

    def _open(self) -> Sandbox:
        plan = self._plan
        return sandbox_for(self._graders.assignment, *plan.private, device=plan.device)

    def grade(
        self,
        todo: Sequence[Submission],
        keep: Callable[[Result], None],
        keep_for_now: Callable[[Result], None],
    ) -> None:
        """Grade and `keep` them; what is broken is kept for now, and graded once more."""
        try:
            self._plan.announce(self._sandbox.confinement)
            self._plan.accept(self._sandbox.confinement)
            if len(todo) > 1:
                ready_for_forks(self._graders.assignment)
            # Perhaps only a process of ours was killed; kept, should the second round be stopped.
            again = self._round(todo, keep, keep_for_now)
            self._round(again, keep, keep)
        finally:
            self._sandbox.close()

    def _round(
        self,
        todo: Sequence[Submission],
        keep: Callable[[Result], None],
        keep_broken: Callable[[Result], None],
    ) -> list[Submission]:
        """Grade and keep them; those with a broken check are returned."""
        broken = []
        with contextlib.closing(self._run(todo)) as all_produced:
            for produced in all_produced:
                result = self._result(produced)
                if result.broken:
                    keep_broken(result)
                    broken.append(produced.job)
                else:
                    keep(result)
        return broken

    def _run(self, todo: Sequence[Submission]) -> Generator[Produced[Submission], None, None]:
        limits = self._graders.assignment.manifest.limits
        seconds = limits.total_seconds + OWN_SECONDS
        for produced in run_all(todo, self._produce, workers=self._plan.jobs, seconds=seconds):
            if not self._sandbox.alive():
                self._sandbox.close()
                self._sandbox = self._open()
            yield produced

    def _produce(self, submission: Submission) -> bytes:
        staged = submission.stage()
        key = submission_key(self._fingerprint, staged, self._plan.seed)
        return encode_result(self._graders.grade(staged, self._sandbox, self._plan.seed, key))

    def _result(self, produced: Produced[Submission]) -> Result:
        failure = produced.failure
        if not failure:
            try:
                return decode_result(produced.data)
            except msgspec.MsgspecError as error:
                failure = f"the grading process sent no result: {error}"
        staged = _staged(produced.job) or Staged(produced.job.id, {})
        key = submission_key(self._fingerprint, staged, self._plan.seed)
        confinement = self._sandbox.confinement
        return self._graders.broken(staged, confinement, self._plan.seed, key, failure)
