"""One submission while its checks run: its workers, its time, and what each case came to. Student
code is called here, and never runs here."""

from __future__ import annotations

import contextlib
import functools
import time
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from autograder import wire
from autograder.grading import phrases
from autograder.grading.check import Check
from autograder.grading.forbidden import Forbidden
from autograder.grading.observation import Observation, Observations
from autograder.manifest import Assignment, Given, Limits, Question
from autograder.results import Outcome
from autograder.sandbox import (
    DEMANDED,
    NOTHING,
    Answer,
    Ending,
    Sandbox,
    Served,
    StudentCode,
    StudentRaised,
    WorkerEnded,
    WorkerLimits,
)
from autograder.submissions.staged import Staged


class CheckFailed(Exception):
    """A check failed, and it is the student's to fix.

    Args:
        message: for the student.
        detail: for instructors only.
    """

    def __init__(self, message: str, detail: str = "") -> None:
        self.message = message
        self.detail = detail
        super().__init__(message)


@dataclass(frozen=True)
class Case:
    """How one case of a check ended."""

    check: Check
    outcome: Outcome
    message: str
    detail: str
    seconds: float


@dataclass(frozen=True)
class _Unloadable:
    """Why a file could not be imported, as a public and as a hidden check says it."""

    public: str
    hidden: str
    detail: str

    def failure(self, *, hidden: bool) -> CheckFailed:
        return CheckFailed(self.hidden if hidden else self.public, self.detail)


@dataclass
class _Serving:
    """The worker of the question at hand."""

    question: Question
    worker: StudentCode | None = None
    loaded: set[str] = field(default_factory=set)


class Run:
    """One staged submission against one assignment's graders.

    Args:
        sandbox: where its workers come from.
        seed: of the inputs; never sent to a worker.
        served: functions that stand in the place of the submission's own. Then what is wrong with
            a file is told in a hidden check's words only: workers have seen hidden inputs before.
        seconds: how long it may take in all; the manifest's total when there is none.
    """

    def __init__(
        self,
        assignment: Assignment,
        staged: Staged,
        sandbox: Sandbox,
        seed: int,
        *,
        served: Served = NOTHING,
        seconds: float | None = None,
    ) -> None:
        self.manifest = manifest = assignment.manifest
        self.staged = staged
        self.seed = seed
        self.cases: list[Case] = []
        self.observations = Observations()
        self._sandbox = sandbox
        self._served = served
        self._serving: _Serving | None = None
        self._unloadable: dict[tuple[str, str], _Unloadable] = {}  # by question and module
        self._timeouts: Counter[str] = Counter()  # by question
        self._imported: set[str] = set()  # questions whose file was imported, or tried
        # Whether a worker of this submission was sent a hidden input.
        self._hidden_seen = bool(served)
        self._files = {
            question.module: staged.files[question.file]
            for question in manifest.questions
            if question.file in staged.files
        } | assignment.given
        self._forbidden = Forbidden(manifest, sandbox, self._files)
        total = manifest.limits.total_seconds if seconds is None else seconds
        self._end = time.monotonic() + total
        self._deadline: wire.Deadline | None = None

    def begin_case(self, check: Check) -> None:
        """Make ready for one case; its time starts with its first call.

        Raises:
            CheckFailed: it is not run: a forbidden call, too many timeouts, or no time is left.
        """
        self._deadline = None
        if check.hidden and not self._hidden_seen:
            self._import_the_rest()
        if self._serving is None or self._serving.question.name != check.question:
            self.close()
            self._serving = _Serving(self._question(check.question))
        if check.fresh:
            self._let_go()
        said = self._forbidden.words_for(self._question(check.question))
        if said:
            raise CheckFailed(said)
        if self._timeouts[check.question] >= self.manifest.limits.timeouts:
            raise CheckFailed(phrases.NOT_RUN_AFTER_TIMEOUTS)
        if time.monotonic() >= self._end:
            raise CheckFailed(phrases.NOT_REACHED)

    def end_case(self, check: Check) -> None:
        """A worker of its own is not shared with the checks after it."""
        if check.fresh:
            self._let_go()

    def close(self) -> None:
        """End the worker at hand."""
        self._let_go()
        self._serving = None

    def call(
        self,
        check: Check,
        name: str,
        arguments: Sequence[object],
        named: Mapping[str, object],
        how: wire.How = wire.PLAIN,
    ) -> Answer:
        """Call the student's function `name`, or one that is given to students.

        Raises:
            CheckFailed: it gave no value.
            SandboxRefused: no worker could be had, which is ours.
        """
        serving = self._serving
        assert serving is not None, "begin_case comes first"
        owner = self.manifest.owner_of(name)
        written = serving.question if isinstance(owner, Given) else owner
        if written.file not in self.staged.files:
            problem = self.staged.problems.get(written.file, f"{written.file} is missing.")
            raise CheckFailed(problem)
        worker = self._loaded_worker(serving, owner, hidden=check.hidden)
        self._hidden_seen = self._hidden_seen or check.hidden
        if self._deadline is None:
            self._deadline = wire.Deadline.after(self._seconds(serving))
        observe = functools.partial(
            Observation, check, name, tuple(arguments), dict(named), how=how
        )
        try:
            answer = worker.call(owner.module, name, arguments, named, self._deadline, how)
        except StudentRaised as error:
            self.observations.append(observe(None, error.kind))
            said = phrases.raised(error, name, owner.file, hidden=check.hidden)
            raise CheckFailed(said, phrases.traceback_text(error)) from None
        except WorkerEnded as error:
            self.observations.append(observe(None, error.ending.value))
            raise CheckFailed(self._ended(serving, error, name), str(error)) from None
        self.observations.append(observe(answer))
        return answer

    def ask(self, one: Observation) -> Observation | None:
        """The call of an observation once more, in a worker of its own; None where it could not be
        made."""
        self._hidden_seen = True  # nothing that is told of a file comes from here
        before = len(self.observations)
        try:
            self.begin_case(one.check)
            self.call(one.check, one.function, one.arguments, one.named, one.how)
        except CheckFailed:
            pass
        finally:
            self.close()
        return self.observations[-1] if len(self.observations) > before else None

    def _seconds(self, serving: _Serving) -> float:
        """How long a case, or the import of a file, may take from now on."""
        return min(self._limits(serving).seconds, self._end - time.monotonic())

    def _limits(self, serving: _Serving) -> Limits:
        return self.manifest.limits_of(serving.question)

    def _import_the_rest(self) -> None:
        """Import the files that no public check did, before any worker is sent a hidden input:
        what is wrong with them may then be told in full."""
        for question in self.manifest.enabled_questions:
            if question.name not in self._imported and question.file in self.staged.files:
                self.close()
                self._serving = _Serving(question)
                with contextlib.suppress(CheckFailed):
                    self._loaded_worker(self._serving, question, hidden=False)

    def _loaded_worker(
        self, serving: _Serving, owner: Question | Given, *, hidden: bool
    ) -> StudentCode:
        place = (serving.question.name, owner.module)
        if place in self._unloadable:
            raise self._unloadable[place].failure(hidden=hidden)
        self._imported.add(serving.question.name)
        worker = serving.worker
        if worker is None or not worker.alive:
            worker = self._spawn(serving)
        if owner.module not in serving.loaded:
            try:
                seconds = self._seconds(serving)
                worker.load(self._files, owner.module, seconds, self._served)
            except (StudentRaised, WorkerEnded) as error:
                # An import does not change its mind: the next check need not try again.
                self._unloadable[place] = self._why_unloadable(serving, owner, error)
                raise self._unloadable[place].failure(hidden=hidden) from None
            serving.loaded.add(owner.module)
        return worker

    def _spawn(self, serving: _Serving) -> StudentCode:
        limits = self._limits(serving)
        needed = WorkerLimits(memory_mb=limits.memory_mb, cpu_seconds=limits.cpu_seconds)
        serving.worker = self._sandbox.spawn(needed)
        serving.loaded.clear()
        return serving.worker

    def _why_unloadable(
        self, serving: _Serving, owner: Question | Given, error: StudentRaised | WorkerEnded
    ) -> _Unloadable:
        if isinstance(error, WorkerEnded):
            said = self._ended(serving, error, owner.file)
            return _Unloadable(said, said, str(error))
        # Workers that were sent no hidden input have none to tell; strong ones can find none.
        knows_nothing = not self._hidden_seen and self._sandbox.confinement.promise == DEMANDED
        said = phrases.not_imported(error, owner.file, hidden=False)
        hidden = said if knows_nothing else phrases.not_imported(error, owner.file, hidden=True)
        return _Unloadable(said, hidden, phrases.traceback_text(error))

    def _ended(self, serving: _Serving, error: WorkerEnded, name: str) -> str:
        """What a student reads of it.

        Raises:
            SandboxRefused: the base process has ended too, so it was ours.
        """
        if error.ending is Ending.DIED:
            self._spawn(serving)
        if error.ending is Ending.TIME:
            self._timeouts[serving.question.name] += 1
            if time.monotonic() >= self._end:
                return phrases.CUT_SHORT
        return phrases.ended(error.ending, name, self._limits(serving).seconds)

    def _let_go(self) -> None:
        if self._serving is not None and self._serving.worker is not None:
            self._serving.worker.release()
            self._serving.worker = None

    def _question(self, name: str) -> Question:
        return next(one for one in self.manifest.questions if one.name == name)
