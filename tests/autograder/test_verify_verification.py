"""The whole proof: what is a problem of it, what it counts, and what it says of odd assignments."""

from __future__ import annotations

import sys

import pytest

from autograder.sandbox import LINUX
from autograder.verify import verification
from autograder.verify.verification import verify

from .gradescope.packages import packable

forked = pytest.mark.skipif(not LINUX, reason="mutants are run in forked processes")
MANIFEST = "assignments/demo/assignment.toml"
HEAD = "from autograder.grading import mistake, variant\n"
MISTAKE = """
@mistake({question!r}, kind={name!r}, symptom="Seen. Why?", answer="Mend it.")
def {name}({arguments}):
    return {value}
"""
VARIANT = "\n\n@variant({question!r})\ndef {name}({arguments}):\n    return {value}\n"
# Twice 2 is 2 + 2 and 2 ** 2; a check that asks nothing gives its points to the stub as well.
HOLES = """

def test_twos(compare):
    compare.double(np.full((2, 3), 2.0))


def test_nothing(student):
    pass
"""
NARROW = '[[narrow]]\ncheck = "double/none"\ndtype = "float64"\nreason = "It is."\n'
MILD = '[[mild]]\nquestion = "double"\nmistake = "none"\nreason = "It is."\n'


@pytest.fixture
def course(course):
    """A course of this test's own with stubs."""
    return packable(course)


def known(course, template: str, *answers: tuple[str, str], question: str = "double") -> None:
    """Give the course mistakes or variants: each a name with its arguments, and a value."""
    text = HEAD
    for signature, value in answers:
        name, _, arguments = signature.partition(" ")
        text += template.format(
            question=question, name=name, arguments=arguments or "x", value=value
        )
    file = "mistakes.py" if template is MISTAKE else "variants.py"
    course.write(f"tests/demo/{file}", text)


def change_manifest(course, old: str, new: str) -> None:
    """Write something else into the manifest."""
    course.write(MANIFEST, (course.root / MANIFEST).read_text().replace(old, new))


def said(proof) -> list[str]:
    """Where and what each problem is."""
    return [f"{problem.where}: {problem.what}" for problem in proof.problems]


@forked
def test_what_any_part_of_the_proof_finds_is_a_problem(course):
    """All of it is said at once, each part in its turn."""
    course.grade_with(HOLES)
    change_manifest(course, 'needs = ["double"]', "")
    known(course, MISTAKE, ("unseen", "x + x"), ("lacks x,y", "x + y"))
    known(course, VARIANT, ("half", "x / 2"), ("nearly", "x * (2 + 1e-10)"))
    course.write("tests/demo/narrow.toml", NARROW)
    course.write("tests/demo/mild.toml", MILD)

    problems = said(verify(course.assignment, "full"))

    parts = (
        "double/nothing: gives 13.34 points to the untouched stub",
        "imports step1_double, and 'total' does not need 'double'",
        "'lacks' takes (x, y), and the reference double(x)",
        "variant 'half': double/twos fails it",
        "mistake 'unseen': no check of 'double' sees it",
        "narrow.toml: stale record: there is no check 'double/none'",
        "mild.toml: stale record: there is no mistake 'none' in 'double'",
        "no check of 'double' sees that `return 2 * x` became `return 2 ** x`",
        "double/twos: is narrow in float64",
    )
    places = [[at for at, one in enumerate(problems) if part in one] for part in parts]
    assert all(places), problems
    assert places == sorted(places)


def test_the_basic_proof_makes_no_mutants(course, monkeypatch):
    """It needs neither cosmic-ray nor their time."""
    monkeypatch.setattr(verification, "mutate", None)

    proof = verify(course.assignment, "basic")

    assert (proof.problems, proof.mutation) == ([], None)


def test_mutants_that_cannot_be_made_are_a_problem_among_the_others(course, monkeypatch):
    """What else was found is not lost."""
    monkeypatch.setitem(sys.modules, "cosmic_ray.mutating", None)
    known(course, MISTAKE, ("unseen", "x + x"))

    proof = verify(course.assignment, "full")

    (unseen, unmade) = proof.problems
    assert proof.mutation is None
    assert "unseen" in unseen.where
    assert "cosmic-ray, which cannot be imported" in unmade.what
    assert unmade.fix.endswith("No mutant was made.")


def test_a_right_answer_that_loses_points_counts_once_with_its_first_seed(course):
    """However many seeds and checks it loses them with."""
    known(course, VARIANT, ("thrice", "3 * x"), ("twice", "x + x"))

    once, often = (verify(course.assignment, runs=runs) for runs in (1, 3))

    assert (once.flakes, once.runs, once.variants) == (1, 1, 2)
    assert (often.flakes, often.runs, often.variants) == (1, 3, 2)
    assert [one.what.partition(" fails")[0] for one in once.problems] == [
        "double/on_paper",
        "double/any_length",
    ]
    assert often.problems == once.problems, "each seed draws other numbers"


@pytest.mark.parametrize("disabled", [False, True])
def test_answers_to_a_question_that_is_not_enabled_are_counted_as_left_out(course, disabled):
    """They are no part of what was graded."""
    if disabled:
        change_manifest(course, "points = 60", "points = 60\nenabled = false")
    known(course, MISTAKE, ("half", "x.sum(-1)"), question="total")
    known(course, VARIANT, ("other", "2 * x.sum(-1)"), question="total")

    proof = verify(course.assignment)

    assert proof.problems == []
    counts = (len(proof.matrix.kills), proof.variants, proof.waiting)
    assert counts == ((0, 0, 2) if disabled else (1, 1, 0))


def test_an_assignment_of_which_nothing_is_known_is_proved_by_its_reference(course):
    """And what that does not show is told: no check is known to see a mistake."""
    proof = verify(course.assignment)

    assert (proof.problems, proof.margins) == ([], [])
    assert (proof.variants, proof.waiting, proof.flakes) == (0, 0, 0)
    assert proof.matrix.without_mistakes == ["double", "total"]
