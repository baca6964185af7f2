"""Mutants that are no mistakes, each with a reason: an assignment's equivalents.toml, as data."""

from __future__ import annotations

from typing import Annotated

import msgspec
from msgspec import Meta

from autograder.errors import CourseError
from autograder.handout.folder import read_text
from autograder.manifest import Assignment

EQUIVALENTS = "equivalents.toml"
UNDONE = "No mutant was graded."


class Equivalent(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A change after which the reference is still right.

    Args:
        before, after: the changed lines as a survivor is listed, without indentation.
        reason: why no check can see it, or need see it.
    """

    question: str
    before: str
    after: str
    reason: Annotated[str, Meta(pattern=r"\S")]


class _File(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    equivalents: list[Equivalent] = []


def load_equivalents(assignment: Assignment) -> list[Equivalent]:
    """The assignment's records; none where there is no file.

    Raises:
        CourseError: the file cannot be read, or is not as above.
    """
    path = assignment.graders / EQUIVALENTS
    if not path.exists():
        return []
    text = read_text(path, UNDONE)
    try:
        found = msgspec.toml.decode(text, type=_File).equivalents
    except (msgspec.MsgspecError, ValueError, RecursionError) as error:
        raise CourseError(
            path,
            f"cannot be understood: {error}",
            "begin each record with `[[equivalents]]` and give it question, before, after and a "
            "reason.",
            UNDONE,
        ) from None
    questions = [question.name for question in assignment.manifest.questions]
    for record in found:
        if record.question not in questions:
            raise CourseError(
                path,
                f"there is no question {record.question!r}",
                f"use one of: {', '.join(questions)}.",
                UNDONE,
            )
    return found
