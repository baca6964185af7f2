"""The mutants of a reference: which arise, and which do not; none is run here."""

from __future__ import annotations

import random
import sys
from pathlib import Path

import pytest

from autograder.errors import CourseError
from autograder.manifest import Course
from autograder.verify.mutants import mutants_of

from .mutable import FILE, solve

ROOT = Path(__file__).resolve().parents[2]


def arising(course) -> list[tuple[str, str]]:
    """Before and after of each mutant."""
    return [(mutant.before, mutant.after) for mutant in mutants_of(course.assignment)]


def test_no_mutant_stands_outside_the_markers(course):
    """What students are given is not theirs to get wrong."""
    head = "HALF = 1 / 2\n\n\ndef spare(x, n=3):\n    return x - n if not x > n else 0\n"

    found = mutants_of(solve(course, head=head).assignment)

    assert found
    assert {(mutant.line, mutant.before) for mutant in found} == {(10, "return 2 * x")}


def test_heads_annotations_and_imports_are_no_solution(course):
    """Between the markers too, only what makes a value is changed."""
    course.write(
        FILE,
        "# BEGIN SOLUTION\nfrom math import *\n\n\ndef twice(x: int | None, é=1 - 1):\n"
        "    y: int | None = 2 * x\n    return y\n# END SOLUTION\ndouble = twice\n",
    )

    assert {before for before, _ in arising(course)} == {"y: int | None = 2 * x"}


def test_no_two_mutants_are_the_same_and_all_are_python(course):
    """A change that another operator makes as well counts once; one that is no Python, never."""
    body = "\n    n = x.sum(axis=1)\n    axis = -1\n    return x.sum(axis=axis) + n\n"

    texts = [mutant.text for mutant in mutants_of(solve(course, body).assignment)]

    assert len(set(texts)) == len(texts)
    assert (course.root / FILE).read_text() not in texts
    assert all(compile(text, "mutant", "exec") for text in texts)


def test_mutants_come_in_one_order(course):
    """Made twice, they are the same: also those for which cosmic-ray draws a number."""
    body = "\n    twice = 2 * x\n    twice = twice + 0 * x\n    return twice\n"
    solve(course, body)

    made = mutants_of(course.assignment)
    random.seed(12)

    assert mutants_of(course.assignment) == made
    assert {mutant.operator.partition("(")[0] for mutant in made} >= {
        "NumberReplacer",
        "VariableReplacer",
        "VariableInserter",
        "ReplaceBinaryOperator_Mul_Add",
    }


@pytest.mark.parametrize("line", ["y = x", "y = z = 2 * x", "y: float = 2 * x", "y = 2"])
def test_no_statement_is_too_simple_for_an_operator(course, line):
    """cosmic-ray's operators on variables fail on these; the others still change what they can."""
    found = arising(solve(course, f"\n    {line}\n    return y + x\n"))

    assert ("return y + x", "return y - x") in found


def test_a_matrix_product_is_changed_too(course):
    """cosmic-ray leaves `@` alone, which is all that some steps do; a decorator is no product."""
    found = arising(solve(course, "\n    return x @ x\n"))

    assert ("return x @ x", "return x * x") in found


def test_every_bundled_reference_has_mutants():
    """No step of the bundled assignment goes unchanged."""
    assignment = Course(ROOT).assignment("self_attention")

    changed = {(mutant.question, mutant.function) for mutant in mutants_of(assignment)}

    assert changed == {
        (question.name, function)
        for question in assignment.manifest.questions
        for function in question.functions
    }


def test_without_cosmic_ray_the_command_to_type_is_said(course, monkeypatch):
    """It is an extra: whoever only grades does not need it."""
    monkeypatch.setitem(sys.modules, "cosmic_ray.mutating", None)

    with pytest.raises(CourseError, match=r"pip install 'attention-autograder\[verify\]'"):
        mutants_of(solve(course).assignment)
