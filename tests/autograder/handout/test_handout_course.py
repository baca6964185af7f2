"""Every handout of the bundled course: fresh, without leaks, portable."""

from __future__ import annotations

from pathlib import Path

import pytest

from autograder.handout import check_handout, portable_problems
from autograder.manifest import find_course

COURSE = find_course(Path(__file__).resolve().parent)


def steps_of(assignment):
    manifest = assignment.manifest
    return [(manifest.step_of(question), question.file) for question in manifest.questions]


def test_the_course_has_assignments():
    """The tests below would pass on nothing."""
    assert COURSE.names()


@pytest.mark.parametrize("name", COURSE.names())
def test_the_handout_is_what_its_solutions_give_and_shows_none_of_them(name):
    """After a change to a solution, `autograder handout` has been run; nothing leaks."""
    assignment = COURSE.assignment(name)

    problems = check_handout(assignment.handout, assignment.solutions, steps_of(assignment))

    assert problems == [], "\n".join(map(str, problems))


@pytest.mark.parametrize("name", COURSE.names())
def test_the_handout_is_portable(name):
    """Students work under Windows, macOS and Linux."""
    assignment = COURSE.assignment(name)

    problems = portable_problems(
        assignment.handout, steps_of(assignment), assignment.manifest.packages
    )

    assert problems == [], "\n".join(map(str, problems))
