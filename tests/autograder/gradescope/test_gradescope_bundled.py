"""What the bundled submissions look like on Gradescope: valid, and at one with the other views."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from msgspec import structs

from autograder.gradescope.report import report_of
from autograder.gradescope.spec import decode_report, encode_report
from autograder.manifest import Course
from autograder.outputs import feedback_markdown
from autograder.session import with_graders
from autograder.submissions import submission_in

from .made import ABOUT, OURS_ALONE, points_of

ROOT = Path(__file__).resolve().parents[3]
EMPTY = "nothing at all"
SCORES = {"right": 100, "no_scaling": 85, "exit_in_one_step": 90, "untouched_stubs": 0, EMPTY: 0}


@pytest.fixture(scope="module")
def bundled(sandbox, tmp_path_factory):
    """Some bundled submissions and an empty one, graded; the assignment's manifest."""
    assignment = Course(ROOT).assignment("self_attention")
    files = [question.file for question in assignment.manifest.questions]
    folders = {name: assignment.examples / name for name in SCORES}
    folders[EMPTY] = tmp_path_factory.mktemp(EMPTY)

    def grade(graders):
        return {
            name: graders.grade(submission_in(path, files, name).stage(), sandbox, 1, "")
            for name, path in folders.items()
        }

    return assignment.manifest, with_graders(assignment, grade)


def settings(told, hidden_points):
    """The manifest with another moment for hidden points."""
    feedback = structs.replace(told.feedback, hidden_points=hidden_points)
    return structs.replace(told, feedback=feedback)


def report(bundled, name, hidden_points="after_published"):
    """One submission's, without otter-grader."""
    told, results = bundled
    told = settings(told, hidden_points)
    return report_of(results[name], told, ABOUT, otter=None, otter_config=OURS_ALONE)


@pytest.mark.parametrize("name", SCORES)
def test_its_rows_add_up_to_its_grade(bundled, name):
    """Valid, out of 100 points, and the sum is the score that every other view has."""
    made = report(bundled, name)

    assert decode_report(encode_report(made)) == made
    assert points_of(made.tests, "max_score") == 10_000
    assert points_of(made.tests) == SCORES[name] * 100
    assert made.score is None


@pytest.mark.parametrize("name", SCORES)
@pytest.mark.parametrize("hidden_points", ["after_due_date", "after_published", "never"])
def test_it_says_of_points_what_the_students_page_says(bundled, name, hidden_points):
    """Earned in public checks, out of how many, and how many are not shown."""
    told, results = bundled
    page = feedback_markdown(results[name], settings(told, hidden_points))
    earned, public, kept = re.search(
        r"\*\*Public checks ([0-9.]+) of ([0-9.]+); ([0-9.]+) points", page
    ).groups()

    made = report(bundled, name, hidden_points)

    assert made.output.startswith(f"**Public checks: {earned} of {public} points**")
    assert made.tests[-1].name == f"{kept} of 100 points are in hidden checks"


@pytest.mark.parametrize("name", SCORES)
def test_it_says_the_score_where_the_page_says_it(bundled, name):
    """With `hidden_points = "now"`, in the same words."""
    told, results = bundled
    words = f"**{SCORES[name]} of 100 points**"

    assert words in feedback_markdown(results[name], settings(told, "now"))
    assert report(bundled, name, "now").output.startswith(words)


def test_nothing_handed_in_is_said_above_the_rows_and_in_each(bundled):
    """An empty submission is no error: 0 points, and why."""
    made = report(bundled, EMPTY)

    assert "Nothing was handed in that can be graded." in made.output
    assert {row.status for row in made.tests if row.max_score} == {"failed"}
    assert all(row.output for row in made.tests)
