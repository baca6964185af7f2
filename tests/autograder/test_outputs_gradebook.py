"""grades.csv: one row a submitter, the same order always, nothing that a spreadsheet would run."""

import csv
import io
import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from autograder.manifest import Manifest, Question
from autograder.outputs import GRADES_ENCODING, grades_csv
from autograder.results import Check, Environment, Isolation, Outcome, Result, Submitter
from autograder.results import Question as Graded

HERE = Environment(
    python="3",
    numpy="2",
    torch=None,
    device="cpu",
    isolation=Isolation(promise="strong", layers=[]),
)
MANIFEST = Manifest(
    "sample",
    "Sample",
    ["numpy"],
    [
        Question("scores", "Scores", "step1_scores.py", ["f"], 10),
        Question("off", "Off", "step2_off.py", ["f"], 10, enabled=False),
        Question("notes", "Notes", "step3_notes.py", ["f"], 5.5),
    ],
)


def question(name, score, outcome=Outcome.FAILED, **rest):
    check = Check(name="test_a", outcome=outcome, points=0, out_of=10, visibility="hidden")
    return Graded(
        name=name, title=name, file="f.py", score=score, max_score=10, checks=[check], **rest
    )


def result(submission="alice", score=7.25, questions=None, **rest):
    given = {
        "assignment": "sample",
        "key": "",
        "submitters": [],
        "submitted_at": None,
        "seed": 1,
        "max_score": 15.5,
        "environment": HERE,
        "seconds": 1.0,
        "notes": [],
    }
    questions = [question("scores", 7.25)] if questions is None else questions
    return Result(submission=submission, score=score, questions=questions, **(given | rest))


def rows(*results):
    return list(csv.DictReader(io.StringIO(grades_csv(results, MANIFEST))))


def test_columns_stand_in_their_order():
    """One column an enabled question, between the fixed ones; a taken name is told apart."""
    header = grades_csv([], MANIFEST)

    assert header == (
        "submission,name,sid,email,score,max_score,scores,question_notes,"
        "follow_through,broken,notes\n"
    )


def test_one_row_a_submitter_in_the_order_of_submissions():
    """A group has a row each, as listed; a submission without people has one row."""
    people = [Submitter(name="Zoe", sid="2"), Submitter(name="Ada", email="a@x.org")]

    table = rows(result("b", submitters=people), result("c"), result("a"))

    assert [(row["submission"], row["name"]) for row in table] == [
        ("a", ""),
        ("b", "Zoe"),
        ("b", "Ada"),
        ("c", ""),
    ]
    assert table[0]["score"] == "7.25"
    assert table[0]["max_score"] == "15.5"
    assert table[0]["question_notes"] == ""


def test_what_is_not_graded_has_an_empty_score():
    """A broken check is never a zero, and its column says which one it is."""
    broken = result(
        score=7.0,
        questions=[question("scores", None, Outcome.BROKEN), question("notes", 5.5)],
    )
    elsewhere = result(score=None, questions=[question("scores", None, Outcome.SKIPPED)])

    table = rows(broken, elsewhere)

    assert [(row["score"], row["scores"]) for row in table] == [("", ""), ("", "")]
    assert table[0]["question_notes"] == "5.5"
    assert [row["broken"] for row in table] == ["scores/test_a", "scores (could not run here)"]


def test_follow_through_and_notes_are_listed():
    """Several of one kind stand in one cell."""
    row = rows(
        result(questions=[question("scores", 7, follow_through=True)], notes=["late", "renamed"])
    )[0]

    assert row["follow_through"] == "scores"
    assert row["notes"] == "late; renamed"


@pytest.mark.parametrize(
    "text",
    ["=1+1", "+1", "-1", "@SUM(A1)", "\t=1", "\r=1", "\n=1", " =1", "\u200b=1", "\uff1d1", "-5"],
)
def test_no_cell_is_a_formula(text):
    """Text that begins like one has an apostrophe before it, in every column of text."""
    row = rows(result(text, submitters=[Submitter(name=text, sid=text, email=text)], notes=[text]))[
        0
    ]

    for column in ("submission", "name", "sid", "email", "notes"):
        assert row[column].startswith("'")


@pytest.mark.parametrize("text", ["eve;=1+1", "eve; @SUM(A1)", ";-1", 'a;"b;+1'])
def test_no_cell_is_one_where_a_semicolon_ends_it(text):
    """As it does in a spreadsheet wherever a comma ends whole numbers."""
    (row,) = rows(result(text, notes=[text]))

    for cell in (row["submission"], row["notes"]):
        assert not re.search(r";\s*[=+\-@]", cell)


def test_numbers_are_left_as_they_are():
    """A score is a number, below zero too."""
    assert rows(result(score=-1.5))[0]["score"] == "-1.5"


@given(st.text(), st.text())
def test_any_text_stays_in_its_cell(name, note):
    """Quotes, commas, line breaks, surrogates and control characters break no row."""
    text = grades_csv([result(name, submitters=[Submitter(name=name)], notes=[note])], MANIFEST)

    table = list(csv.reader(io.StringIO(text)))

    assert [len(row) for row in table] == [11, 11]
    assert text.count("\n") == 2
    assert text.encode(GRADES_ENCODING).startswith(b"\xef\xbb\xbfsubmission")
