"""The graders, put to the proof with the reference and the stubs: what is said of each fault."""

from __future__ import annotations

import os

import pytest

from autograder.errors import CourseError
from autograder.verify import prove

from .gradescope.packages import packable

MANIFEST = "assignments/demo/assignment.toml"
FAULTS = {
    # a check of step 1 → what is said of it
    "assert student.double(np.ones(1))[0] == 7, 'Not seven. Why?'": (
        "fails the reference: Not seven. Why?",
        "run `autograder check demo solutions/demo`.",
    ),
    "{}['a key']": (
        "is broken for the reference: KeyError: 'a key'",
        "run `autograder check demo solutions/demo -k ours`; it says why.",
    ),
    "pass": (
        "gives 20 points to the untouched stub",
        "let the check call the function, and look at its value.",
    ),
}
BROKEN_BY_STUBS = """

def test_ours(student):
    try:
        student.double(np.ones(1))
    except BaseException:
        {}["a key"]
"""
SKIPS = "\n\ndef test_ours(student):\n    pytest.skip('no such device')\n"


@pytest.fixture
def course(course):
    """A course of this test's own with stubs."""
    return packable(course)


def found(course) -> list[tuple[str, str]]:
    """Where and what each problem is."""
    return [(problem.where, problem.what) for problem in prove(course.assignment)]


def make_extra(course, line: str = "points = 40") -> None:
    """Make step 1 extra credit."""
    path = course.root / MANIFEST
    course.write(MANIFEST, path.read_text().replace(line, f"{line}\nextra = true"))


def test_graders_that_are_right_are_proved(course):
    """Nothing is said, and nothing of the handout's or the examples' tests was imported here."""
    assert prove(course.assignment) == []
    assert course.was_run == []


@pytest.mark.parametrize("extra", [False, True])
@pytest.mark.parametrize("body", FAULTS)
def test_a_fault_is_named_with_its_check_and_what_to_do(course, body, extra):
    """Of extra credit as of any other question."""
    course.grade_with(f"\n\ndef test_ours(student):\n    {body}\n")
    if extra:
        make_extra(course)

    problem = prove(course.assignment)[0]

    assert problem.where == "tests/demo: double/ours"
    assert (problem.what, problem.fix) == FAULTS[body]


def test_extra_credit_that_is_right_is_proved(course):
    """The reference earns it, the stub does not."""
    make_extra(course)

    assert prove(course.assignment) == []


def test_a_check_that_only_a_stub_breaks_is_named(course):
    """Students hand in stubs: theirs would have no score."""
    course.grade_with(BROKEN_BY_STUBS)

    assert found(course) == [
        ("tests/demo: double/ours", "is broken for the untouched stub: KeyError: 'a key'")
    ]


@pytest.mark.parametrize("extra", [False, True])
def test_a_question_that_could_not_run_is_not_proved(course, extra):
    """Nobody has seen the reference earn it."""
    (course.root / "assignments/demo/test_public_double.py").unlink()
    course.grade_with(SKIPS)
    if extra:
        make_extra(course)

    assert found(course) == [
        ("tests/demo: double", "could not run here, so it gives the reference no points")
    ]


def test_a_question_of_which_a_part_could_run_is_proved(course):
    """The checks that ran carry its points."""
    course.grade_with(SKIPS)

    assert prove(course.assignment) == []


def test_every_fault_is_said_at_once(course):
    """Of the reference and of the stub, of every question, in order."""
    course.grade_with("\n\ndef test_ours(student):\n    pass\n")
    course.grade_with("\n\ndef test_ours(student):\n    pytest.fail('Why?')\n", "total")

    assert [where for where, _ in found(course)] == [
        "tests/demo: total/ours",
        "tests/demo: double/ours",
    ]


def test_graders_that_cannot_be_collected_prove_nothing(course):
    """What is wrong with the file is raised, not reported as a fault of a check."""
    course.grade_with("\n\ndef test_ours(student):\n    return return\n")

    with pytest.raises(CourseError, match="SyntaxError: invalid syntax"):
        prove(course.assignment)


def test_a_proof_leaves_no_process_behind(course, processes_of):
    """The workers and their base end with it."""
    before = processes_of(os.getpid())

    prove(course.assignment)

    assert processes_of(os.getpid()) == before
