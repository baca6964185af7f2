"""One line of why, for an instructor's terminal."""

import pytest

from autograder.outputs import explain_line, lost_questions
from autograder.results import Check, Environment, Isolation, Outcome, Question, Result

HERE = Environment(
    python="3",
    numpy="2",
    torch=None,
    device="cpu",
    isolation=Isolation(promise="strong", layers=[]),
)


def check(outcome, message="", mistake=None, name="test_a"):
    return Check(
        name=name, outcome=outcome, points=0, out_of=1, visibility="hidden", message=message,
        mistake=mistake,
    )  # fmt: skip


def question(name, score, *checks):
    return Question(name=name, title=name, file="f.py", score=score, max_score=5, checks=[*checks])


def result(*questions, notes=()):
    return Result(
        assignment="a", submission="s", key="", submitters=[], submitted_at=None, seed=1, score=1,
        max_score=10, questions=[*questions], environment=HERE, seconds=1, notes=[*notes],
    )  # fmt: skip


P, F, B, S, W = Outcome.PASSED, Outcome.FAILED, Outcome.BROKEN, Outcome.SKIPPED, Outcome.PENDING


def test_the_first_lost_question_is_explained():
    """Later questions often follow from it; a known mistake's words say more than a symptom's."""
    checks = [check(P), check(F, "Values differ."), check(F, "Your scores\nshrink.", "by_d_k")]
    one = result(question("a", 5, check(P)), question("scaling", 2, *checks), question("b", 0))

    assert [lost.name for lost in lost_questions(one)] == ["scaling", "b"]
    assert explain_line(one) == "scaling: Your scores shrink. (and 1 more)"


@pytest.mark.parametrize(
    ("one", "line"),
    [
        (result(question("a", 5, check(P))), ""),
        (result(question("a", None, check(B))), "not graded: a/test_a"),
        (result(question("a", None, check(S))), "not graded: a (could not run here)"),
        (result(question("a", 0, check(F))), "a: test_a failed"),
        (result(question("a", 0, check(W))), "a: test_a pending"),
        (result(question("b", 3, check(P, "From step 1."))), "b: From step 1."),
        (result(question("b", 3, check(P, "From step 1."), check(F))), "b: From step 1."),
        (result(question("b", 3, check(P, "From step 1."), check(F, "Wrong."))), "b: Wrong."),
        (result(question("a", 0, check(F)), notes=["it is a folder"]), "it is a folder"),
        (result(notes=["no file of the assignment"]), "no file of the assignment"),
        (result(), "nothing of it could be graded"),
    ],
)
def test_every_kind_of_loss_has_a_line(one, line):
    """Ours first, then theirs; a submission without verdicts says what its notes say."""
    assert explain_line(one) == line


def test_a_line_is_one_short_line():
    """Whatever a message holds, a table's row stays one row of a terminal."""
    line = explain_line(result(question("a", 0, check(F, "\x1b[2J\n\u202e" + "word " * 500))))

    assert len(line) <= 160
    assert line.isprintable()
