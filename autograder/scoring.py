"""Outcomes → points, in whole hundredths; runs nothing, reads nothing, writes nothing.

A question's points stand in the manifest. Its checks share them by weight, exactly: hundredths are
dealt out by largest remainder, ties by the check's name, so neither the order of the checks nor
rounding can change a score.

- SKIPPED (no case could run here) carries no points: the others share them, so a total is the same
  everywhere. In an `extra` question, which no total counts, it keeps its share, not earned.
- A question of which nothing could run has no score here, and so has the submission: a zero would
  be false and full marks would be a gift. An `extra` question then earns nothing.
- BROKEN leaves question and total without a score. PENDING is not yet earned.
- What passed by follow-through earns the manifest's part of its share.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from autograder import manifest as course
from autograder.errors import CourseError
from autograder.results import Check, Outcome, Question, Visibility

PENDING_WORDS = "A person has still to grade this; its points are not counted yet."


@dataclass(frozen=True, kw_only=True)
class GradedCheck:
    """How one check ended, before it is worth any points.

    Args:
        weight: its part of the question's points beside the other checks' weights, from 0.
        message: for the student.
        detail: for instructors only.
        mistake: the kind of the known mistake that behaves as the student's code did.
        answer: its fix, for the student after the due date.
        followed: it passed by follow-through: with right earlier steps in the student's place.
    """

    name: str
    outcome: Outcome
    weight: int = 1
    visibility: Visibility
    message: str = ""
    detail: str = ""
    mistake: str | None = None
    answer: str = ""
    followed: bool = False
    seconds: float = 0.0


def score_questions(
    manifest: course.Manifest, graded: Mapping[str, Sequence[GradedCheck]]
) -> list[Question]:
    """Every enabled question with its points, in the manifest's order.

    Args:
        graded: each question's checks by the question's name; those of disabled ones are left out.

    Raises:
        CourseError: a question has no check, a check has no question, or no check carries points.
    """
    where = f"tests/{manifest.name}"
    unknown = sorted(graded.keys() - {question.name for question in manifest.questions})
    if unknown:
        raise CourseError(
            where,
            f"expected checks of the manifest's questions, got some of {unknown[0]!r}",
            "correct the name in the grader's `question(...)`, or add the question.",
        )
    return [
        _score(question, graded.get(question.name, ()), where)
        for question in manifest.enabled_questions
    ]


def total(manifest: course.Manifest, questions: Sequence[Question]) -> tuple[float | None, float]:
    """A submission's score and what it could be.

    Returns:
        The score, None when a question has none, and the points of all enabled questions that are
        not extra credit. Extra credit can lift the score above that.
    """
    counted = sum(hundredths(one.points) for one in manifest.enabled_questions if not one.extra)
    scores = [question.score for question in questions]
    known = [hundredths(score) for score in scores if score is not None]
    return (sum(known) / 100 if len(known) == len(scores) else None), counted / 100


def hundredths(points: float) -> int:
    """Points as a whole number of hundredths."""
    return round(points * 100)


def uncarried(question: Question) -> float:
    """The points of a question that no check carries, since none of it could run here."""
    shares = sum(hundredths(check.out_of) for check in question.checks)
    return (hundredths(question.max_score) - shares) / 100


def _score(question: course.Question, checks: Sequence[GradedCheck], where: str) -> Question:
    _demand_points(question, checks, where)
    points = hundredths(question.points)
    carries = [question.extra or check.outcome is not Outcome.SKIPPED for check in checks]
    weights = [check.weight * carried for check, carried in zip(checks, carries, strict=True)]
    shares = _shares(points, weights, [check.name for check in checks])
    scored = [
        _check(check, share, question.follow_through)
        for check, share in zip(checks, shares, strict=True)
    ]
    is_scored = sum(shares) == points and all(one.outcome is not Outcome.BROKEN for one in checks)
    earned = sum(hundredths(check.points) for check in scored)
    return Question(
        name=question.name,
        title=question.title,
        file=question.file,
        score=earned / 100 if is_scored else None,
        max_score=points / 100,
        follow_through=any(check.followed for check in checks),
        checks=scored,
    )


def _demand_points(question: course.Question, checks: Sequence[GradedCheck], where: str) -> None:
    named = f"the question {question.name!r}"
    if not checks:
        raise CourseError(
            where,
            f"expected at least one check of {named}, got none",
            f'write one with `pytestmark = question("{question.name}")`, or set `enabled = false`.',
        )
    for check in checks:
        if check.weight < 0:
            raise CourseError(
                where,
                f"expected a weight of 0 or more, got {check.weight} - at {check.name}",
                "write `@weight(n)` with a whole number from 0.",
            )
    if not any(check.weight for check in checks):
        raise CourseError(
            where,
            f"expected a check of {named} that carries points, got only weights of 0",
            "give one of them a weight of at least 1.",
        )


def _check(check: GradedCheck, share: int, follow_through: float) -> Check:
    message = check.message
    earned = round(share * follow_through) if check.followed else share
    if check.outcome is Outcome.PENDING and PENDING_WORDS not in message:
        message = f"{message}\n{PENDING_WORDS}".strip()
    return Check(
        name=check.name,
        outcome=check.outcome,
        points=earned / 100 if check.outcome is Outcome.PASSED else 0.0,
        out_of=share / 100,
        visibility=check.visibility,
        message=message,
        mistake=check.mistake,
        answer=check.answer,
        detail=check.detail,
        seconds=check.seconds,
    )


def _shares(points: int, weights: Sequence[int], names: Sequence[str]) -> list[int]:
    """Hundredths for each check; they sum to `points`, or to 0 when no check has a weight.

    A check with a weight goes without only when there are more of them than hundredths.
    """
    whole = sum(weights)
    if not whole:
        return [0] * len(weights)
    shares = [points * weight // whole for weight in weights]
    by_remainder = sorted(
        (place for place, weight in enumerate(weights) if weight),
        key=lambda place: (-(points * weights[place] % whole), names[place]),
    )
    for place in by_remainder[: points - sum(shares)]:
        shares[place] += 1
    for place in by_remainder:
        if not shares[place]:
            _lend(shares, place, names)
    return shares


def _lend(shares: list[int], place: int, names: Sequence[str]) -> None:
    """Move a hundredth to an empty place from whichever check has most, if that has two."""
    richest = max(range(len(shares)), key=lambda at: (shares[at], names[at]))
    if shares[richest] > 1:
        shares[richest] -= 1
        shares[place] += 1
