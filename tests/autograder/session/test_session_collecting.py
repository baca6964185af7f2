"""Graders are collected once, in this process, and nothing around it changes what is graded."""

from __future__ import annotations

import sys
from types import ModuleType

import pytest

from autograder.errors import CourseError, UsageError
from autograder.session import with_graders
from autograder.session.graders import NOTHING_TO_GRADE
from autograder.submissions import Staged

HEAD = """
import pytest

from autograder.grading import question, weight

pytestmark = question("double")

"""

MISTAKES = {
    "a weight of 0": ("@weight(0)\ndef test_it(student):\n    pass\n", "at least 1, got 0"),
    "no message": ("def test_it(student):\n    assert student.double(1) == 2\n", "no message"),
    "a message with a value": (
        'def test_it(student):\n    n = 2\n    assert student.double(1) == n, f"{n}"\n',
        "no plain string",
    ),
    "an unknown fixture": ("def test_it(studnet):\n    pass\n", "no fixture 'studnet'"),
    "an unknown mark": (
        "@pytest.mark.parametrize('n')\ndef test_it(n):\n    pass\n",
        "test_bad.py",
    ),
    "no such module": ("import nowhere\n", "No module named 'nowhere'"),
    "no Python": ("def test_it(:\n", "test_bad.py"),
    "another question": ("@question('total')\ndef test_it(student):\n    pass\n", "2 questions"),
}


def names(graders):
    return [check.name for check in graders.checks()]


@pytest.mark.parametrize("mistake", MISTAKES)
def test_a_mistake_in_a_grader_is_an_error_for_the_instructor(course, mistake):
    """It names the file, and nothing is graded until it is mended."""
    text, problem = MISTAKES[mistake]
    course.write("tests/demo/test_bad.py", HEAD + text)

    with pytest.raises(CourseError) as caught:
        with_graders(course.assignment, names)

    assert "test_bad.py" in str(caught.value)
    assert problem in str(caught.value)
    assert caught.value.fix
    assert caught.value.exit_code == 1


@pytest.mark.parametrize(
    ("file", "text", "problem"),
    [
        ("solutions/demo/step1_double.py", "def double(x)\n", "cannot be imported: SyntaxError"),
        (
            "solutions/demo/step1_double.py",
            "def twice(x):\n    return 2 * x\n",
            "function 'double'",
        ),
        ("solutions/demo/step2_total.py", "import step9_more\n", "No module named 'step9_more'"),
        ("tests/demo/test_total.py", "", "at least one check of the question 'total'"),
    ],
)
def test_a_fault_of_the_course_is_found_before_anything_is_graded(course, file, text, problem):
    """A reference that is wrong, a question without a check: no student's code has run yet."""
    course.write(file, text)

    with pytest.raises(CourseError, match=problem):
        with_graders(course.assignment, lambda graders: pytest.fail("it was graded"))


def test_options_for_other_runs_do_not_leave_checks_out(course, monkeypatch):
    """Neither the shell's nor the course's own options for pytest change what is graded."""
    monkeypatch.setenv("PYTEST_ADDOPTS", "-k double -x --no-such-option")
    monkeypatch.setenv("PYTEST_PLUGINS", "no_such_plugin")
    course.write("pyproject.toml", '[tool.pytest.ini_options]\naddopts = ["-k", "total"]\n')

    found = with_graders(course.assignment, names)

    assert found == ["on_paper", "any_length", "any_length"]


def test_an_edited_file_is_read_anew(course, sandbox):
    """Two collections in one process have nothing in common: not a module, not a phrase."""
    path = course.submit()
    said = []

    for words in ("First words. Why?", "Other words. Why?"):
        course.grade_with(f'def test_it(student):\n    assert not student.double(1.0), "{words}"\n')
        said.append(course.checks(course.grade(path, sandbox))["it"].message)

    assert said == ["First words. Why?", "Other words. Why?"]
    assert not [name for name in sys.modules if name.endswith("test_double")]


def test_a_course_of_the_same_names_lends_no_checks(course, sandbox, monkeypatch):
    """What somebody else imported under a grader's name stays theirs, and grades nobody here."""
    course.grade_with('def test_ours(student):\n    assert student.double(1.0) == 2, "No. Why?"\n')
    graders = next((course.root / "tests/demo").glob("test_*double*.py"))
    theirs = ModuleType(f"tests.demo.{graders.stem}")
    monkeypatch.setitem(sys.modules, theirs.__name__, theirs)

    checks = course.checks(course.grade(course.submit(), sandbox))

    assert "ours" in checks
    assert sys.modules[theirs.__name__] is theirs


def test_a_part_of_the_checks_is_graded_alone(course, sandbox):
    """Only the questions that it touches are there."""
    result = course.grade(course.submit(), sandbox, keyword="total")

    assert [question.name for question in result.questions] == ["total"]


@pytest.mark.parametrize("keyword", ["no_such_check", "a b", "("])
def test_a_keyword_that_finds_nothing_is_a_mistake_in_the_command(course, keyword):
    """Whether it matches nothing or is no expression."""
    with pytest.raises(UsageError, match="no check matches"):
        with_graders(course.assignment, names, keyword=keyword)


def test_what_the_work_raises_comes_out_as_it_is(course):
    """pytest between caller and work swallows nothing, not even an interrupt."""

    def interrupted(graders):
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        with_graders(course.assignment, interrupted)


def test_a_submission_with_nothing_in_it_is_not_run(course):
    """It has 0 points, and every check says why; no worker is needed."""

    class NoSandbox:
        class confinement:
            promise, layers = "strong", ()

    staged = Staged("empty", {}, {"step1_double.py": "It is missing."}, ("No file.",))

    result = with_graders(
        course.assignment, lambda graders: graders.grade(staged, NoSandbox(), 0, "key")
    )

    assert (result.score, result.max_score) == (0, 100)
    assert result.notes == ["No file.", NOTHING_TO_GRADE]
    assert [check.message for question in result.questions for check in question.checks] == [
        "It is missing.",
        "It is missing.",
        NOTHING_TO_GRADE,
    ]
