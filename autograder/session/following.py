"""Follow-through: a question that failed beside a wrong earlier step is run again with the
references' steps in the place of the student's, and has credit where it is then right."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace

from autograder.grading import phrases
from autograder.grading.check import Check
from autograder.grading.composition import is_composed, served_steps
from autograder.grading.observation import Observation
from autograder.grading.references import References
from autograder.grading.run import Case, Run
from autograder.manifest import Assignment, Manifest
from autograder.results import Outcome
from autograder.sandbox import Served
from autograder.scoring import GradedCheck
from autograder.session.verdict import Followed, Start, Verdict, merged

RunChecks = Callable[[Run, str], None]


def followed_questions(
    verdict: Verdict,
    assignment: Assignment,
    references: References,
    run_checks: RunChecks,
) -> dict[str, Followed]:
    """Run again what may have failed because of an earlier step alone.

    Args:
        run_checks: does the checks of one question, by its name.
    """
    failed = _failing(verdict.cases)
    found = {}
    for question in assignment.manifest.enabled_questions:
        needed = assignment.manifest.builds_on(question)
        origins = [one for one in needed if one.name in failed]
        if question.name not in failed or not origins or not question.follow_through:
            continue
        served = served_steps(references, needed)
        run = verdict.start(served)
        run_checks(run, question.name)
        seen, passed, ask = run.observations, _passing(run.cases), _ask(verdict.start)
        composed = is_composed(assignment, question, origins, seen, passed, ask)
        again = Followed(served, origins, run.cases, seen, composed)
        found[question.name] = again
        if again.is_composed and not _failing(run.cases):
            failed.discard(question.name)
    return found


def _ask(start: Start) -> Callable[[Served, Observation], Observation | None]:
    def ask(served: Served, one: Observation) -> Observation | None:
        return start(served).ask(one)

    return ask


def _failing(cases: Sequence[Case]) -> set[str]:
    """The questions in which a check failed."""
    return {case.check.question for case in cases if case.outcome is Outcome.FAILED}


def _passing(cases: Sequence[Case]) -> set[Check]:
    """The checks of which every case passed."""
    checks = {case.check for case in cases}
    return {check for check in checks if merged(check, cases).outcome is Outcome.PASSED}


def carried_forward(
    checks: Sequence[tuple[Check, GradedCheck]], verdict: Verdict, manifest: Manifest
) -> list[tuple[Check, GradedCheck]]:
    """The same checks; those that failed and are right for right earlier steps have passed."""
    graded = [(check, _carried(check, one, verdict.followed)) for check, one in checks]
    return [
        (check, replace(one, message=_words(check, graded, verdict, manifest)))
        if one.followed
        else (check, one)
        for check, one in graded
    ]


def _carried(check: Check, first: GradedCheck, followed: dict[str, Followed]) -> GradedCheck:
    again = followed.get(check.question)
    if again is None or first.outcome is not Outcome.FAILED:
        return first
    second = merged(check, again.cases)
    if second.outcome is Outcome.PASSED and again.is_composed:
        detail = f"{first.detail}\nright for the references' earlier steps".lstrip()
        return replace(first, outcome=Outcome.PASSED, followed=True, detail=detail)
    if second.outcome is Outcome.BROKEN:
        return replace(first, outcome=Outcome.BROKEN, message=phrases.BROKEN, detail=second.detail)
    return first


def _words(
    check: Check,
    graded: Sequence[tuple[Check, GradedCheck]],
    verdict: Verdict,
    manifest: Manifest,
) -> str:
    """What a student reads of a check that passed so. A public one tells at once, so it names no
    step that failed in hidden checks alone, and says nothing of its own step's hidden ones."""
    question = next(one for one in manifest.questions if one.name == check.question)
    cases = [case for case in verdict.cases if check.hidden or not case.check.hidden]
    failed = _failing(cases)
    origins = [one for one in verdict.followed[question.name].origins if one.name in failed]
    steps = [manifest.step_of(one) for one in origins]
    own = [
        one.outcome
        for other, one in graded
        if other.question == question.name and (check.hidden or not other.hidden)
    ]
    is_right = Outcome.FAILED not in own
    said = phrases.followed(manifest.step_of(question), steps, is_right=is_right)
    if question.follow_through < 1:
        said += f" That earns {question.follow_through:.0%} of these points."
    return said
