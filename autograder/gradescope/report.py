"""A result and what otter-grader made of it → results.json; grades nothing and writes no file."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import msgspec

from autograder.gradescope.folders import PLUGIN, About
from autograder.gradescope.otter_files import plugin_name
from autograder.gradescope.rows import NOT_GRADED, rows_not_graded, rows_of
from autograder.gradescope.spec import Report, Row
from autograder.manifest import Manifest
from autograder.markdown import fenced, number
from autograder.results import Result
from autograder.scoring import hundredths
from autograder.shown import is_extra, is_shown, of_visibility, public_points, step_words
from autograder.text import one_line

_OF_OTHERS = ("points_possible", "score_threshold")
_NOTE = 500  # characters


def report_of(
    result: Result,
    manifest: Manifest,
    about: About,
    *,
    otter: Report | None,
    otter_config: dict[str, Any],
) -> Report:
    """What Gradescope is told.

    The rows are ours (`rows = "otter"` in the manifest: otter-grader's). What otter-grader's other
    plugins and options decided is kept: a score of their own, a text, everything hidden. Where
    they are configured and otter-grader failed, nothing is claimed: the report says "not graded".

    Args:
        otter: otter-grader's own report; None when it failed.
        otter_config: its configuration.
    """
    if otter is not None and not _names_every_question(otter, result):
        otter = None
    if otter is None and _decides_more(otter_config):
        return not_graded(manifest, about)
    extra_data = _extra_data(about, result)
    own_words = said_of(result, manifest)
    if otter is not None and manifest.gradescope.rows == "otter":
        return _left_alone(otter, own_words, extra_data)
    report = Report(
        execution_time=_public_seconds(result),
        output=said_of(result, manifest, markdown=True),
        output_format="md",
        stdout_visibility="hidden",
        extra_data=extra_data,
        tests=rows_of(result, manifest),
    )
    return report if otter is None else _with(report, otter, own_words)


def _public_seconds(result: Result) -> float:
    """What the public checks took: they ran before any worker saw a hidden input, so a student
    cannot make their time tell of one."""
    public = [check for one in result.questions for check in of_visibility(one, "public")]
    return round(sum(check.seconds for check in public), 2)


def not_graded(manifest: Manifest, about: About) -> Report:
    """The report that stands until there is a better one: valid, and nobody's fault but ours."""
    return Report(
        output=NOT_GRADED,
        output_format="text",
        stdout_visibility="hidden",
        extra_data=_extra_data(about, None),
        tests=rows_not_graded(manifest),
    )


def said_of(result: Result, manifest: Manifest, *, markdown: bool = False) -> str:
    """What stands above the rows: what is earned so far, what is not graded, what was noted."""
    blocks = [f"**{_summary(result, manifest)}**" if markdown else _summary(result, manifest)]
    if result.broken:
        steps = [step_words(manifest, one) for one in result.questions if one.score is None]
        blocks.append(f"{NOT_GRADED} It concerns {', '.join(steps)}.")
    if result.notes:
        notes = "\n".join(one_line(note, _NOTE) for note in result.notes)
        blocks.append(fenced(notes) if markdown else notes)
    return "\n\n".join(blocks)


def _summary(result: Result, manifest: Manifest) -> str:
    if is_shown(manifest.feedback.hidden_points, "now") and result.score is not None:
        return f"{number(result.score)} of {number(result.max_score)} points"
    counted = [one for one in result.questions if not is_extra(manifest, one)]
    earned, out_of = public_points(counted)
    return f"Public checks: {number(earned)} of {number(out_of)} points"


def _extra_data(about: About, result: Result | None) -> dict[str, Any]:
    """For staff and for exports: where the verdict comes from. No word of a check is in it."""
    data: dict[str, Any] = {
        "assignment": about.assignment,
        "framework": about.framework,
        "seed": about.seed,
    }
    if about.unproved:
        data["unproved"] = about.unproved
    if result is None:
        return {**data, "broken": ["everything"]}
    data["isolation"] = result.environment.isolation.promise
    names = [question.name for question in result.questions if question.score is None]
    return {**data, "broken": names} if names else data


def _names_every_question(otter: Report, result: Result) -> bool:
    """Whether otter-grader has a verdict on everything: without a kernel it has on nothing."""
    names = {row.name for row in otter.tests or ()}
    return names >= {question.name for question in result.questions}


def _decides_more(otter_config: dict[str, Any]) -> bool:
    """Whether anything but our verdicts decides what a student gets or sees."""
    names = [plugin_name(one) for one in otter_config["plugins"]]
    return names != [PLUGIN] or any(otter_config.get(key) is not None for key in _OF_OTHERS)


def _left_alone(otter: Report, own_words: str, extra_data: dict[str, Any]) -> Report:
    """otter-grader's report with its own rows."""
    return msgspec.structs.replace(
        otter,
        output=_others_words(otter, own_words) if _is_all_hidden(otter) else otter.output,
        stdout_visibility="hidden",
        extra_data=extra_data,
    )


def _with(report: Report, otter: Report, own_words: str) -> Report:
    """The report with what otter-grader's other plugins and options decided."""
    rows = report.tests or []
    score = otter.score if otter.score is not None else _points(otter.tests or ())
    if hundredths(score) != hundredths(_points(rows)):
        report = msgspec.structs.replace(report, score=round(score, 5))
    others = _others_words(otter, own_words)
    said = [fenced(others)] if others else []
    if _is_all_hidden(otter):
        rows = [msgspec.structs.replace(row, visibility="hidden") for row in rows]
    elif report.output:
        said.append(report.output)
    return msgspec.structs.replace(report, output="\n\n".join(said) or None, tests=rows)


def _others_words(otter: Report, own_words: str) -> str | None:
    """What another plugin wrote in the place of our words."""
    return None if otter.output == own_words else otter.output or None


def _is_all_hidden(otter: Report) -> bool:
    return all(row.visibility == "hidden" for row in otter.tests or ())


def _points(rows: Sequence[Row]) -> float:
    return sum(row.score or 0.0 for row in rows)
