"""What waits for its moment on Gradescope: hidden checks' points and words, and the row that counts
them."""

from __future__ import annotations

import re
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec import structs

from autograder.gradescope.rows import rows_of
from autograder.outputs import feedback_markdown
from autograder.scoring import hundredths
from autograder.shown import MOMENTS, WORDLESS

from .made import (
    ANSWERS,
    FAILED,
    FOLLOWED,
    PASSED,
    SETTINGS,
    SKIPPED,
    WORDS,
    Sample,
    check,
    manifest,
    samples,
    shown,
    usual,
)

any_sample = given(samples())


def rows(sample: Sample):
    return rows_of(sample.result, sample.manifest)


def kept_back(sample: Sample):
    """The rows that count what is in hidden checks."""
    return [row for row in rows(sample) if row.number is None]


@any_sample
def test_a_hidden_checks_row_waits_for_hidden_points(sample):
    """Rows that tell a hidden check's points are shown when the manifest says so, not sooner."""
    visibility = {"now": "visible", "never": "hidden"}
    setting = sample.manifest.feedback.hidden_points
    hidden = [row for row in rows(sample) if row.tags and row.tags[0] == "hidden"]

    assert {row.visibility for row in hidden} <= {visibility.get(setting, setting)}
    assert all("hidden check" in row.name for row in hidden)


@pytest.mark.parametrize("moment", MOMENTS)
@any_sample
def test_rows_and_page_tell_the_same_words_at_every_moment(moment, sample):
    """What the student's page says of checks, answers and follow-through at some moment, the rows
    say, and no more."""
    page = feedback_markdown(sample.result, sample.manifest, moment=moment)
    told = [row.output or "" for row in shown(rows(sample), moment)]

    words = [*WORDS, *ANSWERS, FOLLOWED]
    assert [one for one in words if one in page] == [
        one for one in words if any(one in output for output in told)
    ]


@given(samples(hints="never"), st.sampled_from(SETTINGS[1:]))
def test_an_exam_shows_the_same_whatever_hidden_checks_say(sample, hidden_points):
    """Without hints, a failing hidden check cannot be told from a passing one until its moment."""
    feedback = structs.replace(sample.manifest.feedback, hidden_points=hidden_points)
    told = structs.replace(sample.manifest, feedback=feedback)
    turned = [[other_way(one) for one in checks] for checks in sample.checks]

    first = rows(replace(sample, manifest=told))
    second = rows(replace(sample, manifest=told, checks=turned))

    assert shown(first) == shown(second)


def other_way(one):
    """A hidden check that passed, as failed, and the other way about."""
    turned = {PASSED: FAILED, FAILED: PASSED} if one.visibility == "hidden" else {}
    return replace(one, outcome=turned.get(one.outcome, one.outcome))


@pytest.mark.parametrize("setting", SETTINGS)
def test_when_points_and_hints_come_together_there_is_no_row_of_hints(setting):
    """Each hidden check then says its own words in its own row."""
    made = rows(usual(hidden_points=setting, hints=setting))

    assert not [row for row in made if row.tags and row.tags[0] == "hint"]
    assert [row.output for row in made if row.output in WORDS] == [WORDS[1], WORDS[0], WORDS[2]]


@pytest.mark.parametrize(
    ("points", "hints"),
    [
        ("now", "after_due_date"),
        ("now", "after_published"),
        ("after_due_date", "after_published"),
    ],
)
def test_hints_that_come_after_points_have_a_row_of_their_own(points, hints):
    """Until then a failing check has its points and a fixed phrase; then all words are told."""
    made = rows(usual(hidden_points=points, hints=hints))

    (hint,) = [row for row in made if row.tags and row.tags[0] == "hint"]
    assert (hint.visibility, hint.output) == (hints, f"{WORDS[0]}\n\n{WORDS[2]}")
    assert [row.output for row in made if row.score == 0 and row.tags[0] == "hidden"] == [
        WORDLESS
    ] * 3


@pytest.mark.parametrize("points", SETTINGS)
def test_without_hints_no_word_of_a_hidden_check_is_shown(points):
    """`hints = "never"` leaves points and fixed phrases, whenever points are shown."""
    told = shown(rows(usual(hidden_points=points, hints="never")), "after_published")

    assert [row.output for row in told if row.output in WORDS] == [WORDS[1]]


@any_sample
def test_what_is_kept_back_is_counted_exactly_when_something_is(sample):
    """The row is there when hidden checks carry points that are not shown at once."""
    told = sample.manifest
    by_name = {question.name: question for question in told.questions}
    counts = {True: 0, False: 0}
    for question in sample.result.questions:
        for one in question.checks:
            if one.visibility == "hidden":
                counts[by_name[question.name].extra] += hundredths(one.out_of)

    made = kept_back(sample)

    is_kept = told.feedback.hidden_points != "now" and any(counts.values())
    assert len(made) == is_kept
    for row in made:
        points = re.search(r"([0-9.]+) of ([0-9.]+) points", row.name)
        extra = re.search(r"([0-9.]+) points of extra credit", row.name)
        assert hundredths(float(points[1]) if points else 0) == counts[False]
        assert hundredths(float(extra[1]) if extra else 0) == counts[True]
        assert not points or float(points[2]) == sample.result.max_score
        assert (row.visibility, row.score, row.max_score) == ("visible", None, None)


@pytest.mark.parametrize(
    ("setting", "when"),
    [
        ("after_due_date", "shown after the due date"),
        ("after_published", "shown once grades are published"),
        ("never", "not shown"),
    ],
)
def test_the_row_about_hidden_points_says_when_they_are_shown(setting, when):
    """In words that are as true afterwards: no "yet", no number of points earned."""
    (row,) = kept_back(usual(hidden_points=setting))

    assert row.name == "70 of 100 points are in hidden checks"
    assert row.output == (
        f"70 of 100 points are in hidden checks: {when}. The public checks above are the rest. "
        "Passing them all is not yet full marks."
    )


@pytest.mark.parametrize(
    "checks",
    [
        [[check(PASSED)], [check(FAILED)]],
        [[check(PASSED, "public"), check(PASSED)], [check(SKIPPED), check(SKIPPED, "public")]],
    ],
    ids=["no public check", "a step that could not run"],
)
def test_public_checks_are_called_the_rest_only_where_they_are(checks):
    """Not where there is none, nor where some points could not be graded here."""
    (row,) = kept_back(Sample(manifest(40, 60), checks))

    assert row.output.endswith(": shown once grades are published.")


def test_hidden_extra_credit_is_counted_apart():
    """It is kept back too, and belongs to no total."""
    checks = [[check(PASSED, "public"), check(PASSED)], [check(FAILED)]]

    (both,) = kept_back(Sample(manifest(40, 60, extra=[2]), checks))
    (alone,) = kept_back(Sample(manifest(40, 60, extra=[2]), [checks[0][:1], checks[1]]))

    ends = "60 points of extra credit are in hidden checks"
    assert (both.name, alone.name) == (f"20 of 40 points and {ends}", ends)
