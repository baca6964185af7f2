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
    def idle(self) -> list[str]:
        """Checks that no known mistake fails, as "question/check": worth a second look."""
        busy = {(kill.question, check) for kill in self.kills for check in kill.checks}
        return [
            f"{question}/{check}"
            for question, checks in self.checks.items()
            for check in checks
            if (question, check) not in busy
        ]

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
