"""otter-grader's own classes, fed by our plugin: verdicts arrive as data, and nothing else does.

No kernel is started; the test files are those that a package holds.
"""

from __future__ import annotations

import json

import pytest
from hypothesis import given
from hypothesis import settings as hypothesis_settings

from autograder.gradescope.otter_run import run_otter
from autograder.gradescope.plugin import Verdicts
from autograder.gradescope.report import report_of, said_of
from autograder.gradescope.rows import NOT_GRADED
from autograder.scoring import hundredths
from autograder.shown import NOT_HERE

from .made import (
    ABOUT,
    BROKEN,
    OURS_ALONE,
    PASSED,
    PENDING,
    SECRETS,
    SKIPPED,
    WORDS,
    Sample,
    check,
    graded_grounds,
    manifest,
    otters_report,
    otters_results,
    points_of,
    samples,
    usual,
)

LIMIT = {"minutes": 30, "allowed_submissions": 1}
MIXED = Sample(  # 10 + 6 of 60, and 5 of extra credit; one question could not run
    manifest(10, 20, 30, 5, extra=[4]),
    [
        [check(PASSED, "public", weight=4), check(PASSED, weight=6)],
        [check(PASSED, "public", weight=6), check(BROKEN, weight=14, message="zqdetail")],
        [check(SKIPPED), check(SKIPPED, "public")],
        [check(PASSED, "public", weight=2), check(PASSED, weight=3)],
    ],
)


@pytest.fixture
def report(tmp_path):
    """What otter-grader reports of a sample, after our plugin and others, with some options."""

    def made(sample, *plugins, **config):
        grounds = graded_grounds(tmp_path / "autograder", sample)
        return otters_report(grounds, otters_results(sample), *plugins, **config)

    return made


@pytest.fixture
def outputs(report):
    """The text of each of otter-grader's rows, by name."""
    return lambda sample, **config: {row.name: row.output for row in report(sample, **config).tests}


def test_a_test_file_that_nobody_gave_verdicts_earns_nothing():
    """Should our plugin not be called, no student has a point, and all points are still there."""
    results = otters_results(usual())

    assert [(file.score, file.possible) for file in results.results.values()] == [(0, 40), (0, 60)]
    assert not results.passed_all_public
    assert "Not graded: our fault, not yours." in results.summary(public_only=True)


def test_before_grading_comes_first():
    """Without a result there are no verdicts to hand over, and no score by accident."""
    with pytest.raises(AssertionError, match="before_grading comes first"):
        Verdicts(None, {}, {}).after_grading(otters_results(usual()))


def test_our_plugin_sets_points_question_by_question(report):
    """Earned points, points, extra credit out of nothing; what is broken or did not run counts 0,
    but a broken check takes no other check's points."""
    rows = {row.name: (row.score, row.max_score) for row in report(MIXED).tests[1:]}

    assert rows == {"scores": (10, 10), "softmax": (6, 20), "output": (0, 30), "masking": (5, 0)}


@hypothesis_settings(max_examples=40)
@given(sample=samples())
def test_otters_rows_and_ours_say_the_same_of_any_result(tmp_path_factory, sample):
    """The same totals, so no score of otter-grader's has to be told; and no secret in its rows."""
    grounds = graded_grounds(tmp_path_factory.mktemp("grounds"), sample)
    otter = otters_report(grounds, otters_results(sample), show_hidden=True)

    made = report_of(sample.result, sample.manifest, ABOUT, otter=otter, otter_config=OURS_ALONE)

    assert otter.output == said_of(sample.result, sample.manifest)
    assert points_of(otter.tests) == points_of(made.tests)
    assert points_of(otter.tests, "max_score") == hundredths(sample.result.max_score)
    assert made.score is None
    assert made == report_of(
        sample.result, sample.manifest, ABOUT, otter=None, otter_config=OURS_ALONE
    )
    assert not [one for one in SECRETS if one in json.dumps([row.output for row in otter.tests])]


def test_otters_public_row_tells_public_checks_alone(outputs):
    """By name and with words; of hidden ones how many points they carry."""
    text = outputs(usual())["Public Tests"]

    assert "shape 0 result:\n        Yours is the transpose." in text
    assert "30 of 40 points of this step are in hidden checks." in text
    assert "40 of 60 points of this step are in hidden checks." in text
    assert WORDS[0] not in text
    assert "hidden check 1" not in text


def test_otters_row_of_a_question_tells_all_its_checks(outputs):
    """For staff, and where the course lets otter-grader show it."""
    text = outputs(usual(hints="after_published"))["softmax"]

    for words in (WORDS[0], WORDS[2], "hidden check 3", "This check did not pass."):
        assert words in text


def test_without_hints_otters_rows_hold_no_hidden_checks_words(outputs):
    """otter-grader may be told to show its rows; `hints = "never"` still holds."""
    text = str(outputs(usual(hints="never"), show_hidden=True))

    assert WORDS[1] in text  # a public check's
    assert not [one for one in (WORDS[0], WORDS[2]) if one in text]


@pytest.mark.parametrize("hints", ["now", "never"])
def test_otters_rows_say_what_is_nobodys_failure(outputs, hints):
    """Broken, not run here, or waiting for a person: in words, with or without hints."""
    checks = [[check(BROKEN, message="zqdetail")], [check(SKIPPED)], [check(PENDING)]]
    texts = outputs(Sample(manifest(10, 10, 10, hints=hints), checks))

    assert NOT_GRADED in texts["scores"]
    assert NOT_HERE in texts["softmax"]
    assert "A person has still to grade this" in texts["output"]


@pytest.mark.parametrize(
    ("config", "score"),
    [
        ({"points_possible": 20}, 11.6),
        ({"score_threshold": 0.5}, 100),
        ({"score_threshold": 0.9}, 0),
        ({"score_threshold": 0.5, "points_possible": 20}, 20),
        ({"points_possible": 100}, None),
    ],
)
def test_otters_options_decide_the_score(report, config, score):
    """`points_possible` and `score_threshold` mean here what otter-grader's manual says."""
    sample = usual()

    made = report_of(
        sample.result,
        sample.manifest,
        ABOUT,
        otter=report(sample, **config),
        otter_config={**OURS_ALONE, **config},
    )

    assert (made.score, points_of(made.tests)) == (score, 5800)


class Override:
    """As the built-in plugin that reads grades from a sheet."""

    def __init__(self, points):
        self._points = points

    def after_grading(self, results):
        results.update_score("scores", self._points)


@pytest.mark.parametrize(("points", "score"), [(40.0, 60), (38.0, None), (0.0, 20)])
def test_a_grade_that_another_plugin_sets_wins(report, points, score):
    """It comes after our verdicts, and the total is its; an equal one needs no word."""
    sample = usual()
    otter = report(sample, Override(points))

    made = report_of(sample.result, sample.manifest, ABOUT, otter=otter, otter_config=OURS_ALONE)

    assert made.score == score


@pytest.mark.parametrize("earlier", [0, 1])
def test_otters_rate_limiting_keeps_working(report, earlier):
    """Within the limit its words stand first; beyond it they are all that a student sees."""
    from otter.plugins.builtin import RateLimiting

    when = "2018-07-01T14:22:32.365935-07:00"
    metadata = {"created_at": when, "previous_submissions": [{"submission_time": when}] * earlier}
    sample = usual()
    otter = report(sample, RateLimiting(None, metadata, LIMIT))

    made = report_of(sample.result, sample.manifest, ABOUT, otter=otter, otter_config=OURS_ALONE)

    words = "You have exceeded the rate limit" if earlier else "Students are allowed 1"
    assert made.output.startswith(f"```text\n{words}")
    assert ("Public checks: 28 of 30" in made.output) == (not earlier)
    assert ({row.visibility for row in made.tests} == {"hidden"}) == bool(earlier)
    assert made.score is None


def test_a_failure_of_otters_is_said_and_costs_nothing(tmp_path, capfd):
    """Whatever is wrong with it, there is no report of its own, and the reason is in the log."""
    grounds = graded_grounds(tmp_path, usual())  # a package without otter-grader's test files
    grounds.submission.mkdir()

    assert run_otter(grounds) is None
    assert "otter-grader failed, and its part is left out" in capfd.readouterr().out


def test_whatever_notebook_was_found_an_empty_one_is_run():
    """otter-grader's kernel gets no cell, whoever's notebook it has."""
    assert Verdicts("theirs.ipynb", {}, {}).before_execution({"cells": ["evil"]}).cells == []
