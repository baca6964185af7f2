"""Failed checks with their known cause named: one cause a question, where there is one."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from autograder.grading.check import Check
from autograder.grading.diagnosis import Cause, Observation, cause_of
from autograder.grading.mistakes import Mistake
from autograder.grading.references import References
from autograder.manifest import Manifest
from autograder.results import Outcome
from autograder.scoring import GradedCheck

Checks = Sequence[tuple[Check, GradedCheck]]


def diagnosed(
    checks: Checks,
    mistakes: Sequence[Mistake],
    references: References,
    observations: Sequence[Observation],
    manifest: Manifest,
) -> list[tuple[Check, GradedCheck]]:
    """The same checks; those that a known mistake explains name its kind, and hidden ones say its
    symptom in the place of what was seen.

    A question that builds on one which failed too has no cause of its own: it may be right.
    """
    failed: dict[str, set[Check]] = {}
    for check, graded in checks:
        if graded.outcome is Outcome.FAILED:
            failed.setdefault(check.question, set()).add(check)
    needs = {question.name: question.needs for question in manifest.questions}
    causes = {
        question: cause_of(
            [one for one in mistakes if one.question == question],
            references,
            [one for one in observations if one.check.question == question],
            frozenset(of_question),
        )
        for question, of_question in failed.items()
        if failed.keys().isdisjoint(needs[question])
    }
    return [(check, _named(check, graded, causes.get(check.question))) for check, graded in checks]


def _named(check: Check, graded: GradedCheck, cause: Cause | None) -> GradedCheck:
    if cause is None or check not in cause.checks:
        return graded
    mistake = cause.mistake
    return replace(
        graded,
        mistake=mistake.kind,
        answer=mistake.answer,
        message=mistake.symptom if check.hidden else graded.message,
        detail=f"{graded.detail}\nbehaves as the known mistake {mistake.name}".lstrip(),
    )
