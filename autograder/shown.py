"""What a student may see of a result, and when; pages and platforms' rows are made of it.

No detail, no hidden check's name and no hidden input is in any of it. What may hold text of a
student's own is marked so by its caller.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal

from autograder.manifest import Manifest
from autograder.manifest import Question as Asked
from autograder.results import Check, Outcome, Question, Visibility

Moment = Literal["now", "after_due_date", "after_published"]

MOMENTS: tuple[Moment, ...] = ("now", "after_due_date", "after_published")
WORDLESS = "This check did not pass."
OURS = "Part of this step is not graded: our fault, not yours. It will be graded again."
NOT_HERE = "This step could not run on the machine that graded it; it has still to be graded."
A_PERSON = "Part of this step has still to be graded by a person."
FOLLOWED = "This step is right for what your earlier steps gave it, and has its points for that."


def is_shown(setting: str, moment: Moment) -> bool:
    """Whether what waits for `setting` (a word of `[feedback]`) is shown at `moment`."""
    return setting in MOMENTS[: MOMENTS.index(moment) + 1]


def asked(manifest: Manifest, question: Question) -> Asked | None:
    """What the manifest says of a result's question."""
    return next((one for one in manifest.questions if one.name == question.name), None)


def is_extra(manifest: Manifest, question: Question) -> bool:
    """Whether no total counts it."""
    one = asked(manifest, question)
    return one is not None and one.extra


def step_words(manifest: Manifest, question: Question) -> str:
    """What a question is called everywhere, such as "step 3 · scale_scores"."""
    one = asked(manifest, question)
    functions = one.functions if one else []
    name = functions[0] if len(functions) == 1 else question.name
    return f"step {manifest.step_of(one)} · {name}" if one else name


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

    Args:
        first_only: of the first failing one alone: its points are kept back.
    """
    said = {check.message for check in failing(of_visibility(question, "public"))}
    words = [check.message for check in failing(of_visibility(question, "hidden"))]
    distinct = [one for one in dict.fromkeys(words) if one]
    return [one for one in (distinct[:1] if first_only else distinct) if one not in said]


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
