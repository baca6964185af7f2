"""Points: exact, in hundredths, and never lowered by passing more."""

from dataclasses import replace

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from autograder.errors import CourseError
from autograder.manifest import Manifest, Question
from autograder.results import Outcome
from autograder.scoring import PENDING_WORDS, GradedCheck, score_questions, total

P, F, B, S, W = Outcome.PASSED, Outcome.FAILED, Outcome.BROKEN, Outcome.SKIPPED, Outcome.PENDING


def manifest(*points, **of_all):
    questions = [
        Question(f"q{at}", f"Question {at}", f"step{at}_q.py", ["f"], value, **of_all)
        for at, value in enumerate(points, 1)
    ]
    return Manifest("sample", "Sample", ["numpy"], questions)


def check(outcome=P, weight=1, name="test_a", **rest):
    return GradedCheck(name=name, outcome=outcome, weight=weight, visibility="hidden", **rest)


def scored(points, *outcomes, **of_question):
    """One question with checks of weight 1 and these outcomes."""
    checks = [check(outcome, name=f"test_{at}") for at, outcome in enumerate(outcomes)]
    return score_questions(manifest(points, **of_question), {"q1": checks})[0]


@st.composite
def graded(draw, outcomes=(P, F, W, S)):
    """Points in hundredths and the checks that share them, at least one with a weight."""
    points = draw(st.integers(1, 20_000)) / 100
    weights = draw(st.lists(st.integers(0, 1000), min_size=1, max_size=30).filter(any))
    return points, [
        check(draw(st.sampled_from(outcomes)), weight, f"test_{at:02}")
        for at, weight in enumerate(weights)
    ]


def sums(question):
    return round(sum(one.out_of for one in question.checks), 6)


@given(graded((P, F, W, B)))
def test_shares_sum_to_the_questions_points_exactly(case):
    """Nothing is lost to rounding, and no check with a weight goes without unless it must."""
    points, checks = case

    question = score_questions(manifest(points), {"q1": checks})[0]

    assert sums(question) == question.max_score == points
    weighty = [one for one, of in zip(question.checks, checks, strict=True) if of.weight]
    if len(weighty) <= round(points * 100):
        assert all(one.out_of > 0 for one in weighty)


@given(graded())
def test_a_score_lies_between_nothing_and_everything(case):
    """All passed is everything, nothing passed is nothing, and no score is outside."""
    points, checks = case

    question = score_questions(manifest(points), {"q1": checks})[0]

    if question.score is None:
        assert all(one.outcome is S for one in checks if one.weight)
        return
    assert 0 <= question.score <= points
    if all(one.outcome in (P, S) for one in checks):
        assert question.score == points
    if all(one.outcome is not P for one in checks):
        assert question.score == 0


@given(graded(), st.randoms())
def test_the_order_of_the_checks_changes_no_points(case, random):
    """The same check earns the same wherever its function stands in the file."""
    points, checks = case
    shuffled = random.sample(checks, len(checks))

    first = score_questions(manifest(points), {"q1": checks})[0]
    second = score_questions(manifest(points), {"q1": shuffled})[0]

    assert first.score == second.score
    assert {one.name: one.out_of for one in first.checks} == {
        one.name: one.out_of for one in second.checks
    }


@given(graded(), st.data())
def test_passing_one_more_check_never_lowers_a_score(case, data):
    """A failed check that passes adds its own points and takes none."""
    points, checks = case
    at = data.draw(st.integers(0, len(checks) - 1))
    assume(checks[at].outcome is not S)
    better = [*checks[:at], check(P, checks[at].weight, checks[at].name), *checks[at + 1 :]]

    before = score_questions(manifest(points), {"q1": checks})[0].score
    after = score_questions(manifest(points), {"q1": better})[0].score

    assert after is None if before is None else after >= before


@given(st.lists(st.integers(1, 3000), min_size=1, max_size=8), st.data())
def test_totals_are_exact(points, data):
    """A sum of hundredths has two decimals, whatever binary fractions do."""
    values = [point / 100 for point in points]
    outcomes = [data.draw(st.sampled_from([P, F])) for _ in values]
    course = manifest(*values)

    score, most = total(
        course,
        score_questions(course, {f"q{at}": [check(one)] for at, one in enumerate(outcomes, 1)}),
    )

    assert most == sum(points) / 100
    assert score == sum(p for p, one in zip(points, outcomes, strict=True) if one is P) / 100


def test_points_are_shared_by_weight():
    """Thirds of 10 points: the first by name gets the odd hundredth."""
    checks = [check(P, 1, "test_c"), check(F, 1, "test_a"), check(P, 1, "test_b")]

    question = score_questions(manifest(10), {"q1": checks})[0]

    assert [one.out_of for one in question.checks] == [3.33, 3.34, 3.33]
    assert [one.points for one in question.checks] == [3.33, 0.0, 3.33]
    assert question.score == 6.66


def test_a_tiny_weight_is_worth_at_least_a_hundredth():
    """A check that counts must be able to cost something."""
    question = score_questions(
        manifest(1), {"q1": [check(P, 10_000, "test_a"), check(F, 1, "test_b")]}
    )[0]

    assert [one.out_of for one in question.checks] == [0.99, 0.01]
    assert question.score == 0.99


def test_skipped_checks_give_their_points_to_the_others():
    """Without a GPU the same work is worth the same total."""
    question = scored(10, P, S, F)

    assert [one.out_of for one in question.checks] == [5.0, 0.0, 5.0]
    assert question.score == 5.0


def test_a_question_that_could_not_run_has_no_score():
    """Neither a zero nor full marks would be true, so the submission waits for a machine."""
    course = manifest(10, 5)
    questions = score_questions(course, {"q1": [check(S)], "q2": [check(P)]})

    assert [question.score for question in questions] == [None, 5.0]
    assert total(course, questions) == (None, 15.0)


def test_extra_credit_counts_in_the_score_but_not_in_what_it_is_out_of():
    """Extra credit can only help; on a machine that cannot run it, it is not earned."""
    course = Manifest(
        "sample",
        "Sample",
        ["numpy"],
        [*manifest(10).questions, Question("gpu", "On a GPU", "gpu.py", ["f"], 4, extra=True)],
    )

    with_gpu = score_questions(course, {"q1": [check(P)], "gpu": [check(P), check(P)]})
    half = score_questions(course, {"q1": [check(P)], "gpu": [check(P), check(S)]})
    without = score_questions(course, {"q1": [check(P)], "gpu": [check(S), check(S)]})

    assert [total(course, one) for one in (with_gpu, half, without)] == [
        (14.0, 10.0),
        (12.0, 10.0),
        (10.0, 10.0),
    ]


def test_broken_leaves_question_and_total_without_a_score():
    """Our own fault is never scored as zero; what did pass keeps its points on record."""
    question = scored(10, P, B)
    course = manifest(10)

    assert question.score is None
    assert [one.points for one in question.checks] == [5.0, 0.0]
    assert total(course, [question]) == (None, 10.0)


def test_pending_is_not_yet_earned_and_says_so():
    """A person's part shows as missing, in words."""
    question = scored(10, P, W)

    assert question.score == 5.0
    assert question.checks[1].message == PENDING_WORDS


def test_texts_and_times_are_carried_through():
    """Scoring adds points and changes nothing else."""
    graded = check(F, message="Yours is …", detail="got …", mistake="no_root", seconds=0.5)

    one = score_questions(manifest(1), {"q1": [graded]})[0]

    assert not one.follow_through
    assert one.checks[0].message == "Yours is …"
    assert (one.checks[0].detail, one.checks[0].mistake, one.checks[0].seconds) == (
        "got …",
        "no_root",
        0.5,
    )


@pytest.mark.parametrize(("part", "earned"), [(1, 6.0), (0.5, 3.0), (0.29, 1.74), (0, 0.0)])
def test_what_passed_by_follow_through_earns_the_manifests_part_of_it(part, earned):
    """What passed by itself beside it earns all."""
    followed = replace(check(P, name="b"), followed=True)
    question = score_questions(
        manifest(12, follow_through=part), {"q1": [check(P, name="a"), followed]}
    )[0]

    assert question.follow_through
    assert [one.points for one in question.checks] == [6.0, earned]
    assert [one.out_of for one in question.checks] == [6.0, 6.0]
    assert question.score == 6 + earned


def test_disabled_questions_do_not_appear():
    """A question that is switched off costs nothing and shows nowhere."""
    course = manifest(10, enabled=False)

    assert score_questions(course, {"q1": [check(F)]}) == []
    assert total(course, []) == (0.0, 0.0)


@pytest.mark.parametrize(
    ("graded", "words"),
    [
        ({}, "at least one check of the question 'q1'"),
        ({"q1": [check(weight=0)]}, "that carries points"),
        ({"q1": [check(weight=-1), check()]}, "a weight of 0 or more, got -1"),
        ({"q1": [check()], "scalign": [check()]}, "got some of 'scalign'"),
    ],
)
def test_points_that_nobody_could_earn_are_the_courses_to_mend(graded, words):
    """A grader without checks would give everyone nothing, or everything: it is refused."""
    with pytest.raises(CourseError, match=words):
        score_questions(manifest(10), graded)
