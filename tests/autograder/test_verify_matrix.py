"""The kill matrix: which check sees which mistake, and what is worth a second look."""

from __future__ import annotations

import msgspec
import pytest

from autograder.grading.mistakes import load_mistakes
from autograder.session import with_graders
from autograder.verify import Matrix
from autograder.verify.matrix import Kill, matrix_of
from autograder.verify.trials import try_all

MISTAKES = """
from autograder.grading import mistake

of_double = mistake("double", kind="of double", symptom="Seen. Why?", answer="Mend it.")


@of_double
def thrice(x):
    return 3 * x


@of_double
def right_on_paper(x):
    return 2 * x**3


@of_double
def right(x):
    return x + x
"""


def kill(name: str, *checks: str, question: str = "double") -> Kill:
    """A mistake and the checks that fail it."""
    return Kill(mistake=name, kind="a kind", question=question, checks=list(checks))


@pytest.fixture(scope="module")
def matrix(new_course, tmp_path_factory) -> Matrix:
    """Of the small course, with mistakes of its first step."""
    course = new_course(tmp_path_factory.mktemp("matrix"))
    course.write("tests/demo/mistakes.py", MISTAKES)
    mistakes = load_mistakes(course.assignment)

    def work(graders):
        trials = try_all(graders, mistakes, [0])
        return matrix_of("demo", graders.checks(), trials)

    return with_graders(course.assignment, work)


def test_every_mistake_stands_beside_the_checks_of_its_question_that_fail_it(matrix):
    """In the order of their files; what later steps lose by it is not told."""
    assert [(one.mistake, one.checks) for one in matrix.kills] == [
        ("thrice", ["on_paper", "any_length"]),
        ("right_on_paper", ["any_length"]),
        ("right", []),
    ]
    assert {(one.kind, one.question) for one in matrix.kills} == {("of double", "double")}


def test_every_check_is_in_it(matrix):
    """Of questions that have no mistake too, which are told: their checks are not idle."""
    assert matrix.checks == {"double": ["on_paper", "any_length"], "total": ["any_length"]}
    assert matrix.names == ["double/on_paper", "double/any_length", "total/any_length"]
    assert (matrix.idle, matrix.without_mistakes) == ([], ["total"])


def test_a_mistake_that_one_check_alone_sees_is_told(matrix):
    """One that none sees is another matter."""
    assert [one.mistake for one in matrix.seen_once] == ["right_on_paper"]


def test_a_check_of_the_same_name_in_another_question_is_another():
    """It is idle although its namesake is not."""
    both = {"double": ["any"], "total": ["any", "other"]}
    kills = [kill("a", "any"), kill("b", "other", question="total")]

    assert Matrix(assignment="demo", checks=both, kills=kills).idle == ["total/any"]


def test_the_file_holds_all_of_it(matrix):
    """Written and read again it is the same."""
    assert msgspec.json.decode(msgspec.json.encode(matrix), type=Matrix) == matrix
