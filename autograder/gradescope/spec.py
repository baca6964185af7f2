"""results.json and submission_metadata.json as Gradescope specifies them, every field; decides
nothing of what stands in them.

Source: Gradescope's autograder documentation, "Autograder Specifications".
"""

from __future__ import annotations

from typing import Annotated, Any, Literal

import msgspec
from msgspec import Meta

TextFormat = Literal["text", "html", "simple_format", "md", "ansi"]
RowVisibility = Literal["hidden", "after_due_date", "after_published", "visible"]
Status = Literal["passed", "failed"]
Seconds = Annotated[float, Meta(ge=0)]


class Row(
    msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True, forbid_unknown_fields=True
):
    """One of `tests`. Its points are counted unless the report has a score of its own."""

    name: str | None = None
    name_format: TextFormat | None = None
    number: str | None = None  # such as "1.2"
    score: float | None = None
    max_score: float | None = None
    status: Status | None = None
    output: str | None = None
    output_format: TextFormat | None = None
    tags: list[str] | None = None
    visibility: RowVisibility | None = None
    extra_data: dict[str, Any] | None = None


class Leader(
    msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True, forbid_unknown_fields=True
):
    """One column of a leaderboard; the framework writes none."""

    name: str
    value: float | str
    order: Literal["asc", "desc"] | None = None


class Report(
    msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True, forbid_unknown_fields=True
):
    """results.json. `score` overrides the sum of the rows' scores."""

    score: float | None = None
    execution_time: Seconds | None = None
    output: str | None = None
    output_format: TextFormat | None = None
    test_output_format: TextFormat | None = None
    test_name_format: TextFormat | None = None
    visibility: RowVisibility | None = None
    stdout_visibility: RowVisibility | None = None
    extra_data: dict[str, Any] | None = None
    tests: list[Row] | None = None
    leaderboard: list[Leader] | None = None


class Metadata(msgspec.Struct, frozen=True, kw_only=True):
    """What is read of submission_metadata.json."""

    id: int | str = "submission"


def encode_report(report: Report) -> bytes:
    """Serialise `report` as indented JSON (UTF-8)."""
    return msgspec.json.format(msgspec.json.encode(report), indent=2)


def decode_report(data: bytes) -> Report:
    """Parse a results.json, ours or otter-grader's.

    Raises:
        msgspec.MsgspecError: it is not what Gradescope specifies.
    """
    return msgspec.json.decode(data, type=Report)


def submission_id(metadata: bytes) -> str:
    """The platform's name for the submission; "submission" where the file does not tell."""
    try:
        return str(msgspec.json.decode(metadata, type=Metadata).id)
    except (msgspec.MsgspecError, RecursionError):
        return str(Metadata().id)
