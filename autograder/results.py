"""What grading produced: the nouns and their JSON. No points are computed here, no pytest, no I/O
beyond one file read.

Schema 1, as `results/<submission>.json`. Gradebooks, feedback and reports are views of it.
`message` is written for the student, `answer` too, for later; `detail` is for instructors only.
"""

from __future__ import annotations

import enum
from pathlib import Path
from typing import Annotated, Literal

import msgspec
from msgspec import Meta

from autograder.errors import CourseError

SCHEMA: Literal[1] = 1
NOTHING_TO_GRADE = "Nothing was handed in that can be graded."  # the last note of a refusal

Visibility = Literal["public", "hidden"]
# Beyond any assignment; above it no hundredths can be counted.
Points = Annotated[float, Meta(ge=-1e9, le=1e9)]
Seconds = Annotated[float, Meta(ge=0, le=1e9)]


class Outcome(enum.Enum):
    """How one check ended; only PASSED earns points."""

    PASSED = "passed"
    FAILED = "failed"  # theirs to fix
    BROKEN = "broken"  # ours to fix: never scored as zero
    SKIPPED = "skipped"  # no case could run here: needs a device that is not here
    PENDING = "pending"  # a person has still to grade it


class Check(msgspec.Struct, frozen=True, kw_only=True):
    """One test function, all its cases together."""

    name: str
    outcome: Outcome
    points: Points
    out_of: Points
    visibility: Visibility
    message: str = ""
    mistake: str | None = None  # the kind of the known mistake that behaves as the student's code
    answer: str = ""  # its fix, for the student after the due date
    detail: str = ""
    seconds: Seconds = 0.0


class Question(msgspec.Struct, frozen=True, kw_only=True):
    """One step of the assignment; `score` is None when one of its checks is broken."""

    name: str
    title: str
    file: str
    score: Points | None
    max_score: Points
    follow_through: bool = False
    checks: list[Check]


class Submitter(msgspec.Struct, frozen=True, kw_only=True):
    """One person behind a submission, as far as the platform told."""

    name: str = ""
    sid: str = ""
    email: str = ""


class Isolation(msgspec.Struct, frozen=True, kw_only=True):
    """What kept the student's code in: the promise, and each layer behind it."""

    promise: str
    layers: list[str]


class Environment(msgspec.Struct, frozen=True, kw_only=True):
    """Where it was graded."""

    python: str
    numpy: str
    torch: str | None
    device: str
    isolation: Isolation


class Result(msgspec.Struct, frozen=True, kw_only=True):
    """One submission, graded."""

    schema: Literal[1] = SCHEMA
    assignment: str
    submission: str
    key: str
    submitters: list[Submitter]
    submitted_at: str | None
    seed: int
    score: Points | None
    max_score: Points
    questions: list[Question]
    environment: Environment
    seconds: Seconds
    notes: list[str]

    @property
    def broken(self) -> list[Check]:
        """The checks that are ours to fix; while there is one, there is no score."""
        return [
            check
            for question in self.questions
            for check in question.checks
            if check.outcome is Outcome.BROKEN
        ]


def encode_result(result: Result) -> bytes:
    """Serialise `result` as indented JSON (UTF-8)."""
    return msgspec.json.format(msgspec.json.encode(result), indent=2)


def decode_result(data: bytes) -> Result:
    """Parse what `encode_result` wrote.

    Raises:
        msgspec.MsgspecError: it is cut short, of another schema, or no result at all.
    """
    try:
        return msgspec.json.decode(data, type=Result)
    except RecursionError as error:  # of tables in tables, whatever their names
        raise msgspec.DecodeError(str(error)) from None


def read_result(path: Path) -> Result:
    """Read one result file.

    Raises:
        CourseError: it cannot be read, or is no result of schema 1.
    """
    try:
        return decode_result(path.read_bytes())
    except (OSError, msgspec.MsgspecError, UnicodeDecodeError) as error:
        raise CourseError(
            path,
            f"expected a result of schema {SCHEMA}, got: {error}",
            "delete the file and grade again; only this submission is graded anew.",
            "The file was left as it is.",
        ) from error
