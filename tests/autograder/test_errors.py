"""What an error says: where, what, how to mend it, and what did not happen."""

from __future__ import annotations

import pytest

from autograder.errors import NOTHING_GRADED, CourseError, UsageError, undone
from autograder.sandbox.failures import SandboxRefused


@pytest.mark.parametrize("kind", [CourseError, UsageError])
def test_a_command_that_grades_nothing_says_what_it_did_not_do(kind):
    """Where, problem, fix and exit code stay."""
    error = kind("a file", "is wrong", "mend it.")

    with pytest.raises(kind) as caught, undone("Nothing was packaged."):
        raise error

    assert str(caught.value) == str(error).replace(NOTHING_GRADED, "Nothing was packaged.")
    assert caught.value.exit_code == error.exit_code


@pytest.mark.parametrize(
    "error", [SandboxRefused("no room"), CourseError("a", "b", "c", "No stub was written.")]
)
def test_an_error_that_says_more_keeps_its_words(error):
    """It knows better what did not happen."""
    with pytest.raises(CourseError) as caught, undone("Nothing was packaged."):
        raise error

    assert caught.value is error


def test_any_error_can_be_said_of_another_command():
    """Also one that makes its own words."""
    said = str(SandboxRefused("no room").with_undone("Nothing was packaged."))

    assert said.startswith("the sandbox: refused to start a worker: no room\nFix: ")
    assert said.endswith(" Nothing was packaged.")
