"""Known answers put to the graders: what is said of a mistake that nobody sees or that is taken for
another, and of a right answer that loses points."""

from __future__ import annotations

import pytest

from autograder.errors import CourseError
from autograder.grading.mistakes import load_mistakes, load_variants
from autograder.sandbox import LINUX
from autograder.session import with_graders
from autograder.verify.known import mistake_problems, variant_problems
from autograder.verify.trials import try_all

HEAD = "import random\n\nfrom autograder.grading import mistake, variant\n\n"
MISTAKE = """
@mistake({question!r}, kind={kind!r}, symptom="Seen. Why?", answer="Mend it.")
def {name}(x):
    {body}
"""
LINES = {name: 6 + 4 * at for at, name in enumerate(("first", "second"))}
ADDED = "from step1_double import double\n\n"


def written(*mistakes: tuple[str, str], question: str = "double") -> str:
    """A mistakes.py of (kind, body)."""
    return HEAD + "".join(
        MISTAKE.format(question=question, kind=kind, name=name, body=body)
        for name, (kind, body) in zip(LINES, mistakes, strict=False)
    )


def tried(course, load=load_mistakes):
    """A trial for each of the course's answers."""
    answers = load(course.assignment)
    return with_graders(course.assignment, lambda graders: try_all(graders, answers, [0]))


def told(
    course, *mistakes: tuple[str, str], question: str = "double"
) -> list[tuple[str, str, str]]:
    """Of each problem with these mistakes: which, what is said, and what to do."""
    path = course.write("tests/demo/mistakes.py", written(*mistakes, question=question))
    manifest = course.assignment.manifest
    problems = [one for trial in tried(course) for one in mistake_problems(trial, manifest)]
    for problem in problems:
        assert problem.where.startswith(f"{path}:"), "it names file and line"
    return [(one.where.partition(f"{path}:")[2], one.what, one.fix) for one in problems]


def test_mistakes_that_are_seen_and_named_are_no_problem(course):
    """Also two forms of one kind, which nothing need tell apart."""
    assert told(course, ("thrice", "return 3 * x"), ("raises", "raise KeyError")) == []
    assert told(course, ("odd", "return 3 * x"), ("odd", "return x * 3.0")) == []


def test_a_mistake_of_full_marks_is_named_with_its_line(course):
    """What to do is said, and nothing is said of its neighbour."""
    ((where, what, fix),) = told(course, ("thrice", "return 3 * x"), ("sum", "return x + x"))

    assert where == "10: mistake 'second'"
    assert what == "no check of 'double' sees it: it has full marks"
    assert fix == "write a check on which it differs from the reference; a right one is a variant."


def test_of_a_mistake_of_full_marks_later_steps_are_not_blamed(course):
    """They fail it, because its own step does not: nothing tells them that it is wrong."""
    course.grade_with("\n\ndef test_twos(compare):\n    compare.double(np.full(3, 2.0))\n")

    ((_, what, _),) = told(course, ("power", "return 2.0**x"))

    assert what == "no check of 'double' sees it: it has full marks"
    (trial,) = tried(course)
    assert trial.lost == ["total"]


def test_a_mistake_that_is_taken_for_another_kind_is_named(course):
    """On every input they are the same: a student would be told of the wrong one."""
    ((where, what, fix),) = told(course, ("thrice", "return 3 * x"), ("sum", "return x + x + x"))

    assert where == "10: mistake 'second'"
    assert what == "is of the kind 'sum' and is taken for 'thrice'"
    assert fix == "give both one kind, or write a check on whose inputs they differ."


def test_a_mistake_that_is_not_known_again_is_named(course):
    """It does something else each time."""
    ((_, what, fix),) = told(course, ("chance", "return x * random.random()"))

    assert what == "is not known again by what it does"
    assert fix == "let it do the same each time it is called."


def test_a_mistake_that_breaks_a_check_is_named(course):
    """An answer like that would have no score."""
    grader = "\n\ndef test_ours(student):\n    {3: 1}[int(student.double(np.ones(1))[0])]\n"
    course.grade_with(grader.replace("3: 1", "2: 1"))

    found = told(course, ("thrice", "return 3 * x"))

    assert found[0][1] == "double/ours is broken by it: KeyError: 3"
    assert found[0][2] == "let the check fail an answer like this one, in words for a student."


@pytest.mark.parametrize(("share", "lost"), [(1, ["double"]), (0, ["double", "total"])])
def test_what_a_mistake_costs_in_the_steps_that_build_on_its_own_the_manifest_says(
    course, share, lost
):
    """By follow-through nothing; and other steps are not asked."""
    manifest = course.root / "assignments/demo/assignment.toml"
    text = manifest.read_text().replace("points = 60", f"points = 60\nfollow_through = {share}")
    course.write("assignments/demo/assignment.toml", text)

    assert told(course, ("thrice", "return 3 * x")) == []
    (trial,) = tried(course)
    assert trial.lost == lost
    assert [check.name for check in trial.killers] == ["on_paper", "any_length"]


def test_a_late_steps_mistake_leaves_earlier_ones_alone(course):
    """It may use them as the reference does."""
    text = written(("half", "return double(x).sum(-1) / 2"), question="total")
    course.write("tests/demo/mistakes.py", ADDED + text)

    (trial,) = tried(course)

    assert [one.name for one in trial.result.questions] == ["total"]
    assert list(mistake_problems(trial, course.assignment.manifest)) == []


def test_a_right_answer_that_loses_points_is_named_with_what_it_was_told(course):
    """The check, the words and the detail, and what to do."""
    text = HEAD + "\n@variant('double')\ndef thrice(x):\n    return 3 * x\n"
    path = course.write("tests/demo/variants.py", text)

    problems = [
        problem for trial in tried(course, load_variants) for problem in variant_problems(trial)
    ]

    assert [problem.where for problem in problems] == [f"{path}:6: variant 'thrice'"] * 2
    places = [problem.what.partition(" fails it: ")[0] for problem in problems]
    assert places == ["double/on_paper", "double/any_length"]
    assert "expected all 2, got [3. 3. 3.]" in problems[0].what
    assert problems[0].fix == "it is right: let the check accept it; if it is not, take it out."


def test_answers_to_a_question_that_is_not_graded_are_left_out(course):
    """They wait there for the question."""
    manifest = course.root / "assignments/demo/assignment.toml"
    text = manifest.read_text().replace("points = 40", "points = 40\nenabled = false")
    course.write("assignments/demo/assignment.toml", text)
    course.write("tests/demo/mistakes_total.py", written(("x", "return x")))

    assert tried(course) == []


@pytest.mark.skipif(not LINUX, reason="an answer that ends its process is tried in a fork there")
def test_an_answer_that_cannot_be_graded_is_named(course):
    """It ends the process that grades it, and no other."""
    path = course.write("tests/demo/mistakes.py", written(("ends", "__import__('os')._exit(5)")))

    with pytest.raises(
        CourseError, match="could not be graded: the grading process ended"
    ) as error:
        tried(course)

    assert error.value.where == f"{path}:6"
    assert error.value.undone == "Nothing was proved."
