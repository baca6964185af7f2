"""Results on a terminal: whatever stands in them is shown as text."""

from __future__ import annotations

import io
import unicodedata

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st
from rich.console import Console

from autograder.cli.tables import class_table, print_submission
from autograder.manifest import find_course
from autograder.results import Check, Environment, Isolation, Outcome, Question, Result
from autograder.text import one_line, plain

HOSTILE = "\x1b[31m[bold]red[/bold]\x1b]0;title\x07\u202e"
SHOWN = "[31m[bold]red[/bold]]0;title"


def hostile_result():
    check = Check(
        name="any",
        outcome=Outcome.FAILED,
        points=0,
        out_of=40,
        visibility="public",
        message=HOSTILE,
        detail=HOSTILE,
    )
    return Result(
        assignment="demo",
        submission=HOSTILE,
        key="",
        submitters=[],
        submitted_at=None,
        seed=0,
        score=0,
        max_score=40,
        questions=[
            Question(
                name="double",
                title="",
                file="step1_double.py",
                score=0,
                max_score=40,
                checks=[check],
            )
        ],
        environment=Environment(
            python="",
            numpy="",
            torch=None,
            device="cpu",
            isolation=Isolation(promise="strong", layers=[]),
        ),
        seconds=0,
        notes=[HOSTILE],
    )


@pytest.mark.parametrize("terminal", [False, True])
def test_nothing_in_a_result_is_a_command_to_the_terminal(course, terminal):
    """A name, a note, a message or a detail is no markup and no escape; colours are ours alone."""
    manifest = find_course(course.root).assignment("demo").manifest
    screen = Console(file=io.StringIO(), width=200, force_terminal=terminal, color_system=None)

    screen.print(class_table([hostile_result()], 160))
    print_submission(screen, hostile_result(), manifest, complete=True)

    said = screen.file.getvalue()
    assert "\x07" not in said
    assert "\x1b[31m" not in said
    assert "\x1b]" not in said
    assert "\u202e" not in said
    assert said.count(SHOWN) >= 4


def test_what_passed_by_follow_through_says_so(course):
    """With fewer points than it is out of, a check's words tell staff too what came of them."""
    manifest = find_course(course.root).assignment("demo").manifest
    result = hostile_result()
    (question,) = result.questions
    told = {"outcome": Outcome.PASSED, "points": 20, "message": "It came from step 1."}
    fed = msgspec.structs.replace(question.checks[0], detail="", **told)
    question = msgspec.structs.replace(question, score=20, follow_through=True, checks=[fed])
    one = msgspec.structs.replace(result, score=20, questions=[question])
    screen = Console(file=io.StringIO(), width=200)

    screen.print(class_table([one], 160))
    print_submission(screen, one, manifest, complete=True)

    said = screen.file.getvalue()
    assert "double: It came from step 1." in said
    assert "20 of 40  any\n            It came from step 1.\n" in said


@pytest.mark.parametrize("width", [60, 80, 119, 120, 200])
def test_a_narrow_table_breaks_no_name(width):
    """Where there is little room, `why` alone names the questions."""
    result = msgspec.structs.replace(hostile_result(), submission="a_name_of_28_characters_12345")
    screen = Console(file=io.StringIO(), width=width)

    screen.print(class_table([result], width))

    lines = screen.file.getvalue().splitlines()
    assert ("lost" in lines[0]) == (width >= 120)
    assert any(line.startswith("a_name_of_28_characters_12345 ") for line in lines)


@given(st.text(), st.integers(20, 60))
def test_any_text_becomes_harmless(text, limit):
    """No control, bidirectional or invisible character is left, and it is bounded."""
    shown, line = plain(text, limit), one_line(text, limit)

    categories = {unicodedata.category(one) for one in (shown + line).replace("\n", "")}
    assert not categories & {"Cc", "Cf", "Cs", "Co", "Cn"}
    assert max(len(shown), len(line)) <= limit
    assert "\n" not in line
    assert plain(shown, limit) == shown
