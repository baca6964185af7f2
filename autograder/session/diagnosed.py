"""Failed checks with their known cause named: one cause a question, where there is one."""

from __future__ import annotations

import functools
from collections.abc import Sequence
from dataclasses import replace

from autograder.grading.check import Check
from autograder.grading.diagnosis import Cause, cause_of
from autograder.grading.mistakes import Mistake
from autograder.grading.observation import Observation
from autograder.grading.references import References
from autograder.manifest import Manifest
from autograder.results import Outcome
from autograder.sandbox import NOTHING, Served
from autograder.scoring import GradedCheck
from autograder.session.verdict import Verdict, merged

Checks = Sequence[tuple[Check, GradedCheck]]


def diagnosed(
    checks: Checks,
    mistakes: Sequence[Mistake],
    references: References,
    verdict: Verdict,
    manifest: Manifest,
) -> list[tuple[Check, GradedCheck]]:
    """The same checks; those that a known mistake explains name its kind, and hidden ones say its
    symptom in the place of what was seen.

    Of a question that builds on one which failed too, only what it did with right earlier steps is
    looked at: else it may be right.
    """
    failed: dict[str, set[Check]] = {}
    for check, graded in checks:
        if graded.outcome is Outcome.FAILED:
            failed.setdefault(check.question, set()).add(check)
    causes: dict[str, Cause | None] = {}
    for question in manifest.questions:
        own = failed.get(question.name, set())
        observations, served = verdict.observations, NOTHING
        if question.name in verdict.followed:
            again = verdict.followed[question.name]
            observations, served = again.observations, again.served
            own = {one for one in own if merged(one, again.cases).outcome is Outcome.FAILED}
        elif any(one.name in failed for one in manifest.builds_on(question)):
            continue
        if own:
            causes[question.name] = cause_of(
                [one for one in mistakes if one.question == question.name],
                references,
                [one for one in observations if one.check.question == question.name],
                frozenset(own),
                functools.partial(_ask, verdict, served),
                manifest.given_functions,
            )
    return [(check, _named(check, graded, causes.get(check.question))) for check, graded in checks]


def _ask(verdict: Verdict, served: Served, one: Observation) -> Observation | None:
    return verdict.start(served).ask(one)


def _named(check: Check, graded: GradedCheck, cause: Cause | None) -> GradedCheck:
    if cause is None or check not in cause.checks:
        return graded
    mistake = cause.mistake
    where = " (asked again on equal sizes)" if cause.on_equal_sizes else ""
    return replace(
        graded,
        mistake=mistake.kind,
        answer=mistake.answer,
        message=mistake.symptom if check.hidden else graded.message,
        detail=f"{graded.detail}\nbehaves as the known mistake {mistake.name}{where}".lstrip(),
    )
