"""What an instructor reads when something cannot go on; no student's text, no traceback."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

NOTHING_GRADED = "Nothing was graded."


class CourseError(Exception):
    """Something of the course's, or of ours, has to be mended first (exit code 1).

    Args:
        where: the file, option or thing the reader should look at.
        problem: what was expected and what was got, in one sentence.
        fix: what to type or change.
        undone: what did *not* happen because of it.
    """

    exit_code = 1

    def __init__(self, where: object, problem: str, fix: str, undone: str = NOTHING_GRADED) -> None:
        self.where = str(where)
        self.problem = problem
        self.fix = fix
        self.undone = undone
        super().__init__(f"{self.where}: {problem}\nFix: {fix} {undone}".rstrip())

    def with_undone(self, undone: str) -> CourseError:
        """The same error, saying that something else did not happen."""
        kind = UsageError if isinstance(self, UsageError) else CourseError
        return kind(self.where, self.problem, self.fix, undone)


class UsageError(CourseError):
    """The command line asks for something that is not there (exit code 2)."""

    exit_code = 2


@contextmanager
def undone(said: str) -> Iterator[None]:
    """What a command that grades nothing did not do: its errors say that, not that nothing was
    graded."""
    try:
        yield
    except CourseError as error:
        if error.undone != NOTHING_GRADED:
            raise
        raise error.with_undone(said) from error
