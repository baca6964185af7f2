"""What was proved is not proved again; what was edited is."""

from __future__ import annotations

from types import SimpleNamespace

import pytest

from autograder.handout import Problem
from autograder.verify import prove, verification

from .gradescope.packages import packable

KEPT = ".autograder/demo-proved.json"
EDITED = {
    "a grader": "tests/demo/test_total.py",
    "a public check": "assignments/demo/test_public_double.py",
    "a solution": "solutions/demo/step1_double.py",
    "a helper of the solutions": "solutions/demo/tools/more.py",
    "a stub": "assignments/demo/step1_double.py",
    "a mistake": "tests/demo/mistakes_of_double.py",
    "a variant": "tests/demo/variants.py",
    "the manifest": "assignments/demo/assignment.toml",
    "what all graders share": "tests/conftest.py",
}


@pytest.fixture
def course(course):
    """A course of this test's own with stubs."""
    return packable(course)


@pytest.fixture
def proofs(monkeypatch):
    """What each proof is to find; one is made for as long as there is one."""
    made: list[list[Problem]] = []

    def proves(assignment):
        return SimpleNamespace(problems=made.pop(0))

    monkeypatch.setattr(verification, "verify", proves)
    return made


@pytest.mark.parametrize("what", EDITED)
def test_an_edit_of_anything_that_decides_is_proved_again(course, proofs, what):
    """A new file is an edit, and so is its end; the same content is proved once."""
    proofs += [[], [], []]
    path = course.root / EDITED[what]
    before = path.read_text() if path.exists() else None

    for left, text in ((2, before), (1, f"{before or ''}\n# edited\n"), (0, before)):
        if text is not None:
            course.write(EDITED[what], text)
        else:
            path.unlink(missing_ok=True)
        assert prove(course.assignment) == prove(course.assignment) == []
        assert len(proofs) == left, "proved once"


def test_what_has_a_problem_is_not_remembered_as_proved(course, proofs):
    """It is said each time, until it is mended."""
    problem = Problem("here", "is wrong", "mend it.")
    proofs += [[problem], [problem], []]

    assert [prove(course.assignment) for _ in range(4)] == [[problem], [problem], [], []]


@pytest.mark.parametrize("text", ["", "[]", '"another"', "{", "\x00"])
def test_a_record_that_says_something_else_proves_nothing(course, proofs, text):
    """Half a file, another version's, or somebody's."""
    proofs += [[], []]
    prove(course.assignment)

    course.write(KEPT, text)

    assert prove(course.assignment) == []
    assert proofs == []


def test_a_course_that_cannot_be_written_is_proved_each_time(course, proofs):
    """Nothing is said of that."""
    course.write(".autograder", "a file in the folder's place")
    proofs += [[], []]

    assert prove(course.assignment) == prove(course.assignment) == []
    assert proofs == []


def test_another_assignments_proof_is_not_this_ones(course, proofs):
    """Each has a record of its own."""
    proofs += [[], []]
    prove(course.assignment)
    (course.root / KEPT).rename(course.root / KEPT.replace("demo", "other"))

    prove(course.assignment)

    assert proofs == []
    assert len(list((course.root / ".autograder").iterdir())) == 2
