"""An assignment's collected graders: run them over a staged submission, get a Result. Points are
scoring's business, words are grading's."""

from __future__ import annotations

import copy
import platform
import time
from collections.abc import Collection, Sequence
from dataclasses import replace

import msgspec
import numpy as np
import pytest

from autograder import wire
from autograder.grading import phrases
from autograder.grading.check import CHECK, Check
from autograder.grading.grading import GRADING, Grading
from autograder.grading.mistakes import load_mistakes
from autograder.grading.references import References
from autograder.grading.run import Run
from autograder.manifest import Assignment, Manifest
from autograder.results import NOTHING_TO_GRADE, Environment, Isolation, Outcome, Question, Result
from autograder.sandbox import NOTHING, Confinement, Sandbox, Served
from autograder.scoring import GradedCheck, score_questions, total
from autograder.session.diagnosed import diagnosed
from autograder.session.following import carried_forward, followed_questions
from autograder.session.verdict import Verdict, merged, unrun
from autograder.submissions import Staged


class Graders:
    """The checks of one assignment, collected; may be used many times, and after a fork.

    Args:
        complete: these are all of its checks.

    Raises:
        CourseError: a reference or a known mistake is wrong, or a question has no check.
    """

    def __init__(self, session: pytest.Session, assignment: Assignment, *, complete: bool) -> None:
        self.assignment = assignment
        self.complete = complete
        self._items = session.items
        self._grading: Grading = session.config.stash[GRADING]
        self._checks = [item.stash[CHECK] for item in self._items if CHECK in item.stash]
        self._grading.references(assignment)  # loaded before the first fork
        self._mistakes = load_mistakes(assignment)
        self._scored([(check, unrun(check, Outcome.PASSED, "", "")) for check in self.checks()])

    @property
    def references(self) -> References:
        """The assignment's references."""
        return self._grading.references(self.assignment)

    def only(self, questions: Collection[str]) -> Graders:
        """The checks of these questions alone; they share everything with the others."""
        part = copy.copy(self)
        part.complete = False
        part._items = [one for one in self._items if one.stash[CHECK].question in questions]
        part._checks = [check for check in self._checks if check.question in questions]
        return part

    def run(self, staged: Staged, sandbox: Sandbox, seed: int) -> Verdict:
        """Run every check over one submission; those of a step that may have failed because of an
        earlier one a second time, see `followed_questions`."""
        started = time.perf_counter()
        total = self.assignment.manifest.limits.total_seconds

        def start(served: Served) -> Run:
            left = total - (time.perf_counter() - started)
            return Run(self.assignment, staged, sandbox, seed, served=served, seconds=left)

        def run_checks(run: Run, question: str) -> None:
            self.only({question})._run_items(run)

        run = start(NOTHING)
        self._run_items(run)
        verdict = Verdict(run.cases, run.observations, 0.0, start)
        followed = followed_questions(verdict, self.assignment, self.references, run_checks)
        seconds = time.perf_counter() - started
        return replace(verdict, followed=followed, seconds=seconds)

    def _run_items(self, run: Run) -> None:
        self._grading.current = run
        try:
            for item, following in zip(self._items, [*self._items[1:], None], strict=True):
                item.ihook.pytest_runtest_protocol(item=item, nextitem=following)
        finally:
            run.close()
            self._grading.current = None

    def grade(self, staged: Staged, sandbox: Sandbox, seed: int, key: str) -> Result:
        """Run every check over one submission and count its points.

        A submission of which nothing can be graded is not run: it gets 0 points, and why.
        """
        if staged.refused:
            staged = replace(staged, notes=(*staged.notes, NOTHING_TO_GRADE))
            checks = [(check, self._missing(check, staged)) for check in self.checks()]
            return self._result(staged, sandbox.confinement, seed, key, checks, 0.0)
        return self.result_of(
            self.run(staged, sandbox, seed), staged, sandbox.confinement, seed, key
        )

    def result_of(
        self, verdict: Verdict, staged: Staged, confinement: Confinement, seed: int, key: str
    ) -> Result:
        """Count the points of what was run, and name known causes."""
        manifest = self.assignment.manifest
        checks = [(check, merged(check, verdict.cases)) for check in self.checks()]
        checks = carried_forward(checks, verdict, manifest)
        checks = diagnosed(checks, self._mistakes, self.references, verdict, manifest)
        return self._result(staged, confinement, seed, key, checks, verdict.seconds)

    def broken(
        self, staged: Staged, confinement: Confinement, seed: int, key: str, detail: str
    ) -> Result:
        """The result of a submission that could not be graded, which is our fault."""
        checks = [
            (check, unrun(check, Outcome.BROKEN, phrases.BROKEN, detail)) for check in self.checks()
        ]
        return self._result(staged, confinement, seed, key, checks, 0.0)

    def _missing(self, check: Check, staged: Staged) -> GradedCheck:
        questions = self.assignment.manifest.questions
        file = next(question.file for question in questions if question.name == check.question)
        return unrun(check, Outcome.FAILED, staged.problems.get(file, NOTHING_TO_GRADE), "")

    def checks(self) -> list[Check]:
        """Every check once, in order; its cases count as one."""
        return list(dict.fromkeys(self._checks))

    def _manifest(self, checks: Sequence[tuple[Check, GradedCheck]]) -> Manifest:
        """The manifest; of a part of the checks, with their questions alone."""
        manifest = self.assignment.manifest
        if self.complete:
            return manifest
        names = {check.question for check, _ in checks}
        kept = [question for question in manifest.questions if question.name in names]
        return msgspec.structs.replace(manifest, questions=kept)

    def _scored(
        self, checks: Sequence[tuple[Check, GradedCheck]]
    ) -> tuple[list[Question], float | None, float]:
        """Each question with its points, the score, and what it could be."""
        manifest = self._manifest(checks)
        by_question: dict[str, list[GradedCheck]] = {}
        for check, graded in checks:
            by_question.setdefault(check.question, []).append(graded)
        questions = score_questions(manifest, by_question)
        return questions, *total(manifest, questions)

    def _result(
        self,
        staged: Staged,
        confinement: Confinement,
        seed: int,
        key: str,
        checks: Sequence[tuple[Check, GradedCheck]],
        seconds: float,
    ) -> Result:
        questions, score, max_score = self._scored(checks)
        return Result(
            assignment=self.assignment.name,
            submission=staged.submission,
            key=key,
            submitters=list(staged.submitters),
            submitted_at=staged.submitted_at,
            seed=seed,
            score=score,
            max_score=max_score,
            questions=questions,
            environment=_environment(confinement, self._grading.device),
            seconds=round(seconds, 3),
            notes=list(staged.notes),
        )


def _environment(confinement: Confinement, device: str) -> Environment:
    torch = wire.torch_here()
    isolation = Isolation(promise=confinement.promise, layers=list(confinement.layers))
    return Environment(
        python=platform.python_version(),
        numpy=np.__version__,
        torch=None if torch is None else str(torch.__version__),
        device=device,
        isolation=isolation,
    )
