"""What an assignment's proof may excuse, each with a reason: the TOML files beside its graders, as
data. Whether a record still speaks of anything is asked where it excuses something."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated, TypeVar

import msgspec
from msgspec import Meta

from autograder.errors import CourseError
from autograder.handout import Problem
from autograder.handout.folder import read_text
from autograder.manifest import Assignment
from autograder.text import joined

EQUIVALENTS, NARROW, MILD = "equivalents.toml", "narrow.toml", "mild.toml"
UNDONE = "Nothing was proved."
Reason = Annotated[str, Meta(pattern=r"\S")]


class Equivalent(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A mutant that is no mistake: a change after which the reference is still right.

    Args:
        before, after: the changed lines as a survivor is listed, without indentation.
        reason: why no check can see it, or need see it.
    """

    question: str
    before: str
    after: str
    reason: Reason


class Narrow(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A check whose tolerance cannot have the room, and why."""

    check: str  # "question/check"
    dtype: str
    reason: Reason

    @property
    def question(self) -> str:
        """The check's question."""
        return self.check.partition("/")[0]


class Mild(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A mistake that is wrong by little on any input, and why: it narrows no check's room."""

    question: str
    mistake: str
    reason: Reason


Record = TypeVar("Record", Equivalent, Narrow, Mild)


@dataclass(frozen=True)
class Records:
    """All that an assignment excuses."""

    equivalents: list[Equivalent]
    narrow: list[Narrow]
    mild: list[Mild]


def load_records(assignment: Assignment) -> Records:
    """The records of an assignment's files; those of a question that is not enabled wait for it,
    and are left out.

    Raises:
        CourseError: a file cannot be read or understood, or names a question that there is not.
    """
    return Records(
        _loaded(assignment, EQUIVALENTS, Equivalent),
        _loaded(assignment, NARROW, Narrow),
        _loaded(assignment, MILD, Mild),
    )


def stale_record(assignment: str, file: str, what: str) -> Problem:
    """A record that excuses nothing, and why."""
    fix = "take the record out, or correct it."
    return Problem(f"tests/{assignment}/{file}", f"stale record: {what}", fix)


def _loaded(assignment: Assignment, file: str, kind: type[Record]) -> list[Record]:
    """The records of one file, each under the heading of its name; none where there is no file."""
    path = assignment.graders / file
    if not path.exists():
        return []
    heading = path.stem
    records = list[kind]  # type: ignore[valid-type]  # mypy knows no type that is made here
    whole = msgspec.defstruct("File", [(heading, records, [])], forbid_unknown_fields=True)
    text = read_text(path, UNDONE)
    try:
        found: list[Record] = getattr(msgspec.toml.decode(text, type=whole), heading)
    except (msgspec.MsgspecError, ValueError, RecursionError) as error:
        fields = joined([*(one.name for one in msgspec.structs.fields(kind)[:-1]), "a reason"])
        fix = f"begin each record with `[[{heading}]]` and give it {fields}."
        raise CourseError(path, f"cannot be understood: {error}", fix, UNDONE) from None
    questions = {question.name: question for question in assignment.manifest.questions}
    for record in found:
        if record.question not in questions:
            problem = f"there is no question {record.question!r}"
            raise CourseError(path, problem, f"use one of: {', '.join(questions)}.", UNDONE)
    return [record for record in found if questions[record.question].enabled]
