"""How a check ends: passed, failed (theirs), broken (ours) or skipped, and what each says."""

from __future__ import annotations

import pytest

from autograder.grading import phrases
from autograder.results import Outcome
from autograder.session import with_graders

GRADER = """
def helper(value):
    assert value < 0, "The helper's own words. Why?"


def test_right(compare, rng):
    compare.double(rng.normal(size=4))


def test_worded(student, rng):
    doubled = student.double(rng.normal(size=4) ** 2)

    assert (doubled < 0).all(), (
        "Twice a square is negative. "
        "Is it?"
    )


def test_worded_in_a_helper(student):
    helper(student.double(np.ones(3)).sum())


def test_wordless(student):
    np.testing.assert_allclose(student.double(np.ones(3)), 7041.0)


def test_failed_by_hand(student):
    pytest.fail(f"7041 and {student.double(np.ones(1))}")


def test_passes_by_hand(student):
    with pytest.raises(ValueError, match="7041"):
        raise ValueError("7041")


def test_skipped(student):
    pytest.skip("no device 7041")


@pytest.mark.parametrize("n", [1, 2, 3])
def test_one_case_is_wrong(student, n):
    assert student.double(np.ones(n)).sum() != 4, "One case is wrong. Which?"


@pytest.mark.parametrize("n", [1, pytest.param(2, marks=pytest.mark.skip("not here"))])
def test_one_case_is_skipped(student, n):
    student.double(np.ones(n))


@pytest.fixture
def doubled(student):
    return student.double(np.ones(3))


def test_called_in_a_fixture(doubled):
    assert (doubled == 2).all(), "Not two. Why?"


class TestOfAClass:
    def test_in_a_class(self, student):
        assert student.double(np.ones(3)).sum() == 6, "Not six. Why?"
"""
OURS = """
def test_raises(student):
    student.double(np.ones(3))
    {}["7041"]


@pytest.fixture
def spoilt():
    raise RuntimeError("7041")


def test_fixture_raises(spoilt, student):
    student.double(np.ones(3))


def test_reference_asserts(compare):
    compare.double(np.full(3, 7041.0))


def test_no_such_function(student):
    student.treble(np.ones(3))


@pytest.fixture
def left_open():
    yield
    raise RuntimeError("7041")


def test_fixture_raises_at_its_end(left_open, student):
    student.double(np.ones(3))


@pytest.mark.parametrize("n", [1, 2])
def test_one_case_is_broken(student, n):
    assert n < 2 or {}["7041"], "Unseen. Why?"
    assert student.double(np.ones(n)).sum() < 0, "Wrong. Why?"


def test_right(compare, rng):
    compare.double(rng.normal(size=4))
"""
SOLUTION = '''
def double(x):
    """Twice x."""
    assert (x < 7041).all(), "the reference's own assert"
    return 2 * x
'''


@pytest.fixture(scope="module")
def graded(new_course, tmp_path_factory, sandbox):
    """The right submission, graded by `GRADER`."""
    course = new_course(tmp_path_factory.mktemp("outcomes"))
    course.grade_with(GRADER)
    return course.grade(course.submit(), sandbox)


@pytest.fixture(scope="module")
def checks(graded):
    """Its checks by name."""
    return {check.name: check for question in graded.questions for check in question.checks}


@pytest.mark.parametrize(
    ("name", "outcome", "message"),
    [
        ("right", Outcome.PASSED, ""),
        ("worded", Outcome.FAILED, "Twice a square is negative. Is it?"),
        ("worded_in_a_helper", Outcome.FAILED, "The helper's own words. Why?"),
        ("wordless", Outcome.FAILED, phrases.UNWORDED),
        ("failed_by_hand", Outcome.FAILED, phrases.UNWORDED),
        ("passes_by_hand", Outcome.PASSED, ""),
        ("skipped", Outcome.SKIPPED, "No case of this check could run here."),
        ("one_case_is_wrong", Outcome.FAILED, "One case is wrong. Which?"),
        ("one_case_is_skipped", Outcome.PASSED, ""),
        ("called_in_a_fixture", Outcome.PASSED, ""),
        ("in_a_class", Outcome.PASSED, ""),
    ],
)
def test_a_check_ends_as_its_function_does(checks, name, outcome, message):
    """A wrong answer fails in the assert's own words; nothing of hidden numbers is ever in them."""
    assert (checks[name].outcome, checks[name].message) == (outcome, message)
    assert checks[name].visibility == "hidden"


def test_an_instructor_is_told_what_a_student_is_not(checks):
    """The values, and the reason for a skip."""
    assert "7041" in checks["wordless"].detail
    assert "7041" in checks["failed_by_hand"].detail
    assert "no device 7041" in checks["skipped"].detail


def test_the_cases_of_a_check_count_as_one(graded, checks):
    """A check's points do not depend on how many cases it has; a skipped check's go to others."""
    question = graded.questions[0]

    assert len(checks) == len(set(checks)) == 13
    assert checks["skipped"].out_of == 0
    assert checks["one_case_is_wrong"].out_of == pytest.approx(40 / 11, abs=0.01)
    assert sum(check.out_of for check in question.checks) == pytest.approx(40)
    assert graded.score == pytest.approx(60 + 40 * 6 / 11, abs=0.05)


def test_a_fault_of_ours_is_broken_and_has_no_score(course, sandbox):
    """In a check, a fixture, a reference, at the end: never the student's zero."""
    course.write("solutions/demo/step1_double.py", SOLUTION)
    course.grade_with(OURS)

    result = course.grade(course.submit(), sandbox)

    broken = {check.name for check in result.broken}
    assert broken == {
        "raises",
        "fixture_raises",
        "reference_asserts",
        "no_such_function",
        "fixture_raises_at_its_end",
        "one_case_is_broken",
    }
    assert {check.message for check in result.broken} == {phrases.BROKEN}
    assert course.checks(result)["right"].outcome is Outcome.PASSED
    assert "7041" in course.checks(result)["raises"].detail
    assert [question.score for question in result.questions] == [None, 60]
    assert result.score is None


def test_weights_share_out_the_points_of_a_question(course, sandbox):
    """Public and hidden checks together; three parts of four here."""
    result = course.grade(course.submit(), sandbox)

    worth = {name: check.out_of for name, check in course.checks(result).items()}
    assert worth == {"on_paper": 10, "any_length": 60}
    assert result.questions[0].checks[1].out_of == 30
    assert (result.score, result.max_score) == (100, 100)


def test_the_same_files_get_the_same_inputs_and_others_get_others(course, sandbox):
    """Inputs depend on seed, check, case and files: on nothing else, and on all of these."""
    course.grade_with(
        '@pytest.mark.parametrize("n", [1, 2])\ndef test_a(rng, n):\n    {}[rng.random()]\n\n\n'
        "def test_b(rng):\n    {}[rng.random()]\n"
    )
    files = {"one": course.submit("one"), "same": course.submit("same")}
    files["other"] = course.submit("other", step2_total="# another file\n")
    staged = {name: course.staged(path) for name, path in files.items()}

    def work(graders):
        def drawn(name, seed):
            return [case.detail for case in graders.run(staged[name], sandbox, seed).cases[1:4]]

        return (
            drawn("one", 1),
            drawn("one", 1),
            drawn("same", 1),
            drawn("other", 1),
            drawn("one", 2),
        )

    first, again, same, other, reseeded = with_graders(course.assignment, work)
    assert first == again == same
    assert all("KeyError" in detail for detail in first)
    assert len({*first, *other, *reseeded}) == 9


def test_switched_off_questions_are_not_graded(course, sandbox):
    """Their checks do not run, and their points are no part of the total."""
    manifest = course.root / "assignments/demo/assignment.toml"
    manifest.write_text(manifest.read_text() + "enabled = false\n")

    result = course.grade(course.submit(step2_total="raise SystemExit"), sandbox)

    assert [question.name for question in result.questions] == ["double"]
    assert (result.score, result.max_score) == (40, 40)
