"""`autograder quiz`: write a sheet of known mistakes and its key."""

from __future__ import annotations

import os
import secrets
from pathlib import Path

from autograder.cli.tables import output_console
from autograder.errors import CourseError, UsageError
from autograder.files import write_atomically
from autograder.manifest import Assignment
from autograder.outputs.quiz import key_html, make_quiz, sheet_html

SHEET, KEY = "quiz.html", "quiz-key.html"
UNDONE = "Nothing was written."


def write_quiz(assignment: Assignment, out: Path, *, seed: int | None, count: int) -> int:
    """Write the sheet and its key; the folder is closed to other users."""
    _refuse_foreign(out)
    seed = secrets.randbelow(1_000_000) if seed is None else seed  # short: it may be typed again
    quiz = make_quiz(assignment, seed, count)
    pages = {KEY: key_html(quiz), SHEET: sheet_html(quiz)}
    _make(out)
    _write(out, pages)
    items = f"{count} item{'s' * (count > 1)}"
    said = f"wrote {out}: {SHEET}, {KEY}; seed {seed}, {items}, {quiz.minutes} minutes"
    output_console().print(said, markup=False, soft_wrap=True)
    return 0


def _refuse_foreign(out: Path) -> None:
    """A folder with anything else in it is somebody's, and is not closed to others."""
    try:
        names = {name for name in os.listdir(out) if not name.startswith(".")}
    except FileNotFoundError:
        return
    except OSError as error:
        raise _unwritable(out, error) from None
    foreign = sorted(names - {SHEET, KEY})
    if foreign:
        raise UsageError(
            out,
            f"expected a new folder or one with an earlier sheet, got one with {foreign[0]!r}",
            "choose another with --out DIR.",
            UNDONE,
        )


def _make(out: Path) -> None:
    try:
        out.mkdir(parents=True, exist_ok=True, mode=0o700)
        out.chmod(0o700)
    except OSError as error:
        raise _unwritable(out, error) from None


def _write(out: Path, pages: dict[str, str]) -> None:
    """All pages or none: a sheet beside the key of another would be marked by it."""
    before = {name: _read(out / name) for name in pages}
    try:
        for name, text in pages.items():
            write_atomically(out / name, text)
    except CourseError:
        for name, content in before.items():
            if content is not None:
                write_atomically(out / name, content)
            elif (out / name).is_file():
                (out / name).unlink()
        raise


def _read(path: Path) -> bytes | None:
    return path.read_bytes() if path.is_file() else None


def _unwritable(out: Path, error: OSError) -> CourseError:
    problem = f"the folder for the sheet cannot be written: {error.strerror}"
    return CourseError(out, problem, "choose another with --out DIR.", UNDONE)
