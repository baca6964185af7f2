"""The kill matrix: which check sees which known mistake; runs nothing."""

from __future__ import annotations

from collections.abc import Sequence

import msgspec

from autograder.grading.check import Check
from autograder.grading.mistakes import Mistake
from autograder.verify.trials import Trial


class Kill(msgspec.Struct, frozen=True, kw_only=True):
    """One mistake, and the checks of its own question that fail it."""

    mistake: str
    kind: str
    question: str
    checks: list[str]


class Matrix(msgspec.Struct, frozen=True, kw_only=True):
    """All of an assignment's mistakes against all of its checks."""

    assignment: str
    checks: dict[str, list[str]]  # by question
    kills: list[Kill]

    @property
    def names(self) -> list[str]:
        """Every check, as "question/check"."""
        return [
            f"{question}/{check}" for question in self.checks for check in self.checks[question]
        ]

    @property
    def without_mistakes(self) -> list[str]:
        """Questions of which no mistake is known: none of their checks is known to see one."""
        known = {kill.question for kill in self.kills}
        return [question for question in self.checks if question not in known]

    @property
    def idle(self) -> list[str]:
        """Checks that no known mistake of their question fails, as "question/check": worth a
        second look."""
        busy = {f"{kill.question}/{check}" for kill in self.kills for check in kill.checks}
        blank = self.without_mistakes
        return [one for one in self.names if one not in busy and one.partition("/")[0] not in blank]

    @property
    def seen_once(self) -> list[Kill]:
        """Mistakes that only one check sees: without it they would earn full marks."""
        return [kill for kill in self.kills if len(kill.checks) == 1]


def matrix_of(assignment: str, all_checks: Sequence[Check], trials: Sequence[Trial]) -> Matrix:
    """The matrix of these mistakes, one trial for each."""
    checks: dict[str, list[str]] = {}
    for check in all_checks:
        checks.setdefault(check.question, []).append(check.name)
    kills = [
        Kill(
            mistake=trial.answer.name,
            kind=trial.answer.kind,
            question=trial.answer.question,
            checks=[check.name for check in trial.killers],
        )
        for trial in trials
        if isinstance(trial.answer, Mistake)
    ]
    return Matrix(assignment=assignment, checks=checks, kills=kills)
