"""What a proof shows, as a page for a course's repository; proves nothing."""

from __future__ import annotations

from collections import Counter, defaultdict
from importlib import resources
from typing import Any

from autograder.manifest import Manifest, Question
from autograder.text import one_line
from autograder.verify.margins import GAPS, Margin
from autograder.verify.matrix import Matrix
from autograder.verify.verification import Verification

_TEMPLATE = "graders.md.jinja"


def graders_page(verification: Verification, manifest: Manifest, date: str) -> str:
    """The page, in Markdown. It is true of a verification without problems only.

    Args:
        date: of the proof, such as "2026-01-31".
    """
    from jinja2 import Environment

    matrix = verification.matrix
    text = (resources.files(__package__) / "templates" / _TEMPLATE).read_text(encoding="utf-8")
    environment = Environment(
        trim_blocks=True, lstrip_blocks=True, keep_trailing_newline=True, autoescape=False
    )
    environment.filters["one_line"] = one_line
    return environment.from_string(text).render(
        manifest=manifest,
        verification=verification,
        matrix=matrix,
        mutation=verification.mutation,
        date=date,
        kinds=len({(kill.question, kill.kind) for kill in matrix.kills}),
        questions=[_question(matrix, manifest, one) for one in manifest.enabled_questions],
        alone=_alone(matrix),
        gaps=GAPS,
        rooms=_rooms(verification.margins),
        narrow=_narrow(verification),
    )


def _question(matrix: Matrix, manifest: Manifest, question: Question) -> dict[str, Any]:
    kills = [kill for kill in matrix.kills if kill.question == question.name]
    seen = Counter(check for kill in kills for check in kill.checks)
    alone = _alone(matrix)
    return {
        "step": manifest.step_of(question),
        "name": question.name,
        "mistakes": len(kills),
        "kinds": Counter(kill.kind for kill in kills),
        "checks": [
            {
                "name": check,
                "kills": seen[check],
                "alone": len(alone.get(f"{question.name}/{check}", [])),
            }
            for check in matrix.checks[question.name]
        ],
    }


def _alone(matrix: Matrix) -> dict[str, list[str]]:
    """The mistakes that only one check sees, by that check."""
    alone: dict[str, list[str]] = defaultdict(list)
    for kill in matrix.seen_once:
        alone[f"{kill.question}/{kill.checks[0]}"].append(kill.mistake)
    return alone


def _narrow(verification: Verification) -> list[tuple[Margin, str]]:
    """The checks that are recorded to have less room, with the reason."""
    margins = {(margin.check, margin.dtype): margin for margin in verification.margins}
    return [
        (margins[record.check, record.dtype], record.reason)
        for record in verification.records.narrow
    ]


def _rooms(margins: list[Margin]) -> list[dict[str, Any]]:
    """The narrowest margins of each dtype."""
    by_dtype: dict[str, list[Margin]] = defaultdict(list)
    for margin in margins:
        by_dtype[margin.dtype].append(margin)
    return [
        {
            "dtype": dtype,
            "worst": max(some, key=lambda one: one.variant),
            "mildest": min(
                (one for one in some if one.mistake is not None),
                key=lambda one: one.mistake or 0.0,
                default=None,
            ),
        }
        for dtype, some in by_dtype.items()
    ]
