"""Why a submission has the score it has, in one line for an instructor; nothing for a student."""

from __future__ import annotations

from autograder.grading import phrases
from autograder.results import NOTHING_TO_GRADE, Check, Outcome, Question, Result
from autograder.text import one_line

_LINE = 160


def lost_questions(result: Result) -> list[Question]:
    """The questions that have a score below their points, in order; broken ones are not lost."""
    return [one for one in result.questions if one.score is not None and one.score < one.max_score]


def no_verdict(result: Result) -> list[str]:
    """What leaves a submission without a score: broken checks, questions that could not run."""
    return [
        f"{question.name}/{check.name}"
        for question in result.questions
        for check in question.checks
        if check.outcome is Outcome.BROKEN
    ] + [
        f"{question.name} (could not run here)"
        for question in result.questions
        if question.score is None
        and not any(check.outcome is Outcome.BROKEN for check in question.checks)
    ]


def explain_line(result: Result) -> str:
    """The first thing to know about a result, such as "scaling: Your scores shrink by d_k …".

    What is broken comes first, then the first question that lost points, as later ones often
    follow from it. At most 160 characters, without control characters; empty when all is earned.
    """
    ungraded = no_verdict(result)
    if ungraded:
        return one_line(f"not graded: {'; '.join(ungraded)}", _LINE)
    lost = lost_questions(result)
    if not lost and result.questions:
        return ""
    if not any(check.message for one in lost for check in one.checks) and result.notes:
        return one_line(result.notes[0], _LINE)
    if not lost:
        return "nothing of it could be graded"
    if NOTHING_TO_GRADE in result.notes:
        told = [note for note in result.notes if note != NOTHING_TO_GRADE]
        return one_line(" ".join([f"{lost[0].name}: {_reason(lost[0])}", *told]), _LINE)
    more = f" (and {len(lost) - 1} more)" if len(lost) > 1 else ""
    return one_line(f"{lost[0].name}: {_reason(lost[0])}", _LINE - len(more)) + more


def _reason(question: Question) -> str:
    """The most telling words of a question: a known mistake's, a hidden check's, any; what passed
    by follow-through for a share of its points says so."""
    missed = [one for one in question.checks if one.points < one.out_of or _is_failed(one)]
    missed.sort(key=_is_less_telling)
    told = [one.message for one in missed if one.message]
    if told:
        return told[0]
    return f"{missed[0].name} {missed[0].outcome.value}" if missed else "not earned"


def _is_failed(check: Check) -> bool:
    return check.outcome in (Outcome.FAILED, Outcome.PENDING)


def _is_less_telling(check: Check) -> tuple[bool, ...]:
    public = check.visibility == "public"  # shows numbers, where a hidden check names the relation
    unrun = check.message in phrases.UNRUN
    return check.outcome is not Outcome.FAILED, check.mistake is None, unrun, public
