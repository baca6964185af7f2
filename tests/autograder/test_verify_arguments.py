"""Known answers and their arguments: those that cannot be called as the reference is are named."""

from __future__ import annotations

from types import SimpleNamespace

import pytest

from autograder.grading.mistakes import Variant
from autograder.verify.arguments import other_arguments


def scale(scores, d_k, *, by=2, root=True):
    """A reference with arguments of every kind."""


def told(call) -> list[tuple[str, str, str]]:
    """What is said of an answer that is this function."""
    answer = Variant(name="answer", question="scaling", function="scale", call=call)
    problems = other_arguments([answer], SimpleNamespace(scale=scale))
    return [(one.where, one.what, one.fix) for one in problems]


@pytest.mark.parametrize(
    "call",
    [
        lambda scores, d_k, *, by=2, root=True: None,
        lambda s, n, by=1, root=None: None,
        lambda s, n=1, **more: None,
        lambda *any, **more: None,
    ],
)
def test_whatever_can_be_called_as_the_reference_is_taken(call):
    """Its parameters may have other names and other defaults."""
    assert told(call) == []


@pytest.mark.parametrize(
    ("call", "arguments"),
    [
        (lambda: None, "()"),
        (lambda scores, *, by, root: None, "(scores, *, by, root)"),
        (lambda scores, d_k: None, "(scores, d_k)"),
        (lambda scores, d_k, by, root: None, "(scores, d_k, by, root)"),
    ],
)
def test_another_number_of_arguments_is_named_with_its_line(call, arguments):
    """Each call of it would raise, and be taken for a mistake that every check sees."""
    code = call.__code__

    assert told(call) == [
        (
            f"{code.co_filename}:{code.co_firstlineno}",
            f"'answer' takes {arguments}, and the reference scale(scores, d_k, *, by=2, root=True)",
            "give it the reference's arguments.",
        )
    ]


def test_a_function_that_does_not_say_its_arguments_is_taken():
    """Nobody can know; its calls are judged like any other's."""
    assert told(max) == []
