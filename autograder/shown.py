"""What a student may see of a result, and when; pages and platforms' rows are made of it.

No detail, no hidden check's name and no hidden input is in any of it. What may hold text of a
student's own is marked so by its caller.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal

from autograder.manifest import Feedback, Manifest
from autograder.manifest import Question as Asked
from autograder.results import Check, Outcome, Question, Visibility

Moment = Literal["now", "after_due_date", "after_published"]

MOMENTS: tuple[Moment, ...] = ("now", "after_due_date", "after_published")
WHEN: dict[str, str] = {  # a word of `[feedback]`, for people
    "now": "",
    "after_due_date": "shown after the due date",
    "after_published": "shown once grades are published",
    "never": "not shown",
}
WORDLESS = "This check did not pass."
OURS = "Part of this step is not graded: our fault, not yours. It will be graded again."
NOT_HERE = "This step could not run on the machine that graded it; it has still to be graded."
A_PERSON = "Part of this step has still to be graded by a person."
_SETTINGS = tuple(WHEN)


def is_shown(setting: str, by: str) -> bool:
    """Whether what waits for `setting` (a word of `[feedback]`) is shown by a moment, or no later
    than what waits for another setting."""
    return _SETTINGS.index(setting) <= _SETTINGS.index(by)


def answer_setting(feedback: Feedback) -> str:
    """What answers wait for: the due date, and hints where those come later or never."""
    return max(feedback.hints, "after_due_date", key=_SETTINGS.index)


def asked(manifest: Manifest, question: Question) -> Asked | None:
    """What the manifest says of a result's question."""
    return next((one for one in manifest.questions if one.name == question.name), None)


def is_extra(manifest: Manifest, question: Question) -> bool:
    """Whether no total counts it."""
    one = asked(manifest, question)
    return one is not None and one.extra


def step_words(manifest: Manifest, question: Question) -> str:
    """What a question is called everywhere, such as "step 3 · scale_scores"; extra credit is said
    to be that."""
    one = asked(manifest, question)
    if one is None:
        return question.name
    name = one.functions[0] if len(one.functions) == 1 else question.name
    return f"step {manifest.step_of(one)} · {name}{' · extra credit' * one.extra}"


def of_visibility(question: Question, visibility: Visibility) -> list[Check]:
    """A question's public or hidden checks."""
    return [check for check in question.checks if check.visibility == visibility]


def failing(checks: Sequence[Check]) -> list[Check]:
    """Those that are the student's to mend."""
    return [check for check in checks if check.outcome is Outcome.FAILED]


def public_points(questions: Sequence[Question]) -> tuple[float, float]:
    """Points earned in public checks, and what they are out of."""
    public = [check for question in questions for check in of_visibility(question, "public")]
    return sum(check.points for check in public), sum(check.out_of for check in public)


def hidden_words(question: Question, *, first_only: bool) -> list[str]:
    """What failing hidden checks say, each once, without what a failing public one says already.

    A known mistake's symptom comes first: it says more than what was seen of a single check.

    Args:
        first_only: of the first alone: points are kept back.
    """
    said = {check.message for check in failing(of_visibility(question, "public"))}
    failed = failing(of_visibility(question, "hidden"))
    words = _distinct(sorted(failed, key=lambda check: check.mistake is None))
    return [one for one in (words[:1] if first_only else words) if one not in said]


def answer_words(question: Question) -> str:
    """The fix of the mistake that a question's failing checks name; empty where they name none."""
    return next((check.answer for check in failing(question.checks) if check.answer), "")


def followed_words(checks: Sequence[Check]) -> list[str]:
    """What those say, each once, that passed by follow-through; any other that passed is silent."""
    return _distinct([check for check in checks if check.outcome is Outcome.PASSED])


def is_followed(question: Question) -> bool:
    """Whether nothing of it is wrong, and follow-through is why: a share of the points may lack."""
    carrying = [check for check in question.checks if check.out_of]
    return question.follow_through and all(one.outcome is Outcome.PASSED for one in carrying)


def remarks(question: Question) -> list[str]:
    """What is not the student's doing: broken, could not run here, waits for a person."""
    outcomes = {check.outcome for check in question.checks}
    said = []
    if Outcome.BROKEN in outcomes:
        said.append(OURS)
    elif question.score is None:
        said.append(NOT_HERE)
    if Outcome.PENDING in outcomes:
        said.append(A_PERSON)
    return said


def _distinct(checks: Sequence[Check]) -> list[str]:
    return [one for one in dict.fromkeys(check.message for check in checks) if one]
