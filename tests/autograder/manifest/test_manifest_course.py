"""Where a course is found, and what its assignments are."""

from __future__ import annotations

from pathlib import Path

import pytest

from autograder.errors import CourseError, UsageError
from autograder.manifest import find_course


def test_the_bundled_assignments_share_out_a_hundred_points():
    """Every manifest of this repository is right, and worth 100."""
    course = find_course(Path(__file__).resolve().parent)

    points = {
        name: sum(question.points for question in course.assignment(name).manifest.questions)
        for name in course.names()
    }

    assert "self_attention" in points
    assert set(points.values()) == {100}


def test_the_nearest_folder_upwards_is_the_course(course, new_course):
    """From deep inside a course, and from a course inside another one."""
    inner = new_course(course.root / "old" / "inner")

    assert find_course(course.assignment.graders / "examples").root == course.root.resolve()
    assert find_course(inner.assignment.handout).root == inner.root.resolve()


def test_the_course_that_is_named_is_taken(course, new_course, tmp_path):
    """`--course` wins over where one stands, and is not looked for further up."""
    other = new_course(tmp_path / "other")

    assert find_course(course.root, other.root).root == other.root.resolve()
    with pytest.raises(UsageError, match="--course DIR"):
        find_course(course.root, course.root / "tests")


def test_no_course_is_a_mistake_in_the_command(tmp_path):
    """It says what a course is."""
    with pytest.raises(UsageError, match="assignments, solutions, tests"):
        find_course(tmp_path)


@pytest.mark.parametrize("name", ["nope", "../demo", "", "demo/../demo"])
def test_an_unknown_assignment_is_a_mistake_in_the_command(course, name):
    """Names are looked up, not joined to a path; the known ones are listed."""
    with pytest.raises(UsageError, match="choose one of: demo"):
        find_course(course.root).assignment(name)


def test_a_manifest_that_bears_another_name_is_a_mistake(course):
    """The three folders and the manifest have one name."""
    (course.root / "assignments/demo").rename(course.root / "assignments/renamed")

    with pytest.raises(CourseError, match=r"'renamed'.*'demo' - at `name`"):
        find_course(course.root).assignment("renamed")


@pytest.mark.parametrize("encoding", ["utf-8-sig", "utf-16", "latin-1"])
def test_a_manifest_is_read_as_utf_8(course, encoding):
    """With a mark before it too; another encoding is named as the mistake."""
    path = course.root / "assignments/demo/assignment.toml"
    path.write_bytes(path.read_text("utf-8").replace("Two", "Zwölf").encode(encoding))

    if encoding == "utf-8-sig":
        assert find_course(course.root).assignment("demo").manifest.title == "Zwölf steps"
    else:
        with pytest.raises(CourseError, match="save it as UTF-8"):
            find_course(course.root).assignment("demo")
