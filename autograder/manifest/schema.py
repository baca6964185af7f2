"""assignment.toml as typed, validated data; knows no folder and reads no other file."""

from __future__ import annotations

import re
import sys
from collections.abc import Iterator, Sequence
from pathlib import PurePath
from typing import Annotated, Literal

import msgspec
from msgspec import Meta

from autograder.errors import CourseError

Seconds = Annotated[float, Meta(gt=0)]
Name = Annotated[str, Meta(pattern=r"^[a-z][a-z0-9_]*\Z", max_length=60)]
STEP_FILE = re.compile(r"^step(\d+)_")


class Limits(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """What student code may use."""

    seconds: Seconds = 10.0  # wall clock, one check (one case of it)
    cpu_seconds: Annotated[int, Meta(ge=1)] = 60  # CPU of one worker, so of one question
    memory_mb: Annotated[int, Meta(ge=64)] = 512  # on top of Python and the packages
    total_seconds: Seconds = 120.0  # wall clock, one submission
    timeouts: Annotated[int, Meta(ge=1)] = 2  # of one question, before its other checks go unrun


class QuestionLimits(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """What one question changes in the assignment's limits."""

    seconds: Seconds | None = None
    cpu_seconds: Annotated[int, Meta(ge=1)] | None = None
    memory_mb: Annotated[int, Meta(ge=64)] | None = None


class Feedback(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """When a student sees what; `never` is for an exam."""

    hidden_points: Literal["now", "after_due_date", "after_published", "never"] = "after_published"
    hints: Literal["now", "after_due_date", "after_published", "never"] = "now"


class Question(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """One step: one file, its functions and its points."""

    name: Name
    title: Annotated[str, Meta(min_length=1)]
    file: Annotated[str, Meta(pattern=r"^[A-Za-z_][A-Za-z0-9_]*\.py\Z")]
    functions: Annotated[list[str], Meta(min_length=1)]
    points: Annotated[float, Meta(gt=0)]
    needs: list[str] = []
    enabled: bool = True
    extra: bool = False  # extra credit: earns points, not counted in the total
    limits: QuestionLimits = QuestionLimits()

    @property
    def module(self) -> str:
        """The name other steps import this one by."""
        return self.file.removesuffix(".py")


class Manifest(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """One assignment.toml."""

    name: Name
    title: Annotated[str, Meta(min_length=1)]
    packages: list[Literal["numpy", "torch"]]
    questions: Annotated[list[Question], Meta(min_length=1)]
    hours: str = ""
    limits: Limits = Limits()
    feedback: Feedback = Feedback()

    def step_of(self, question: Question) -> int:
        """The number a question bears everywhere: in its stub, its file and every report."""
        return self.questions.index(question) + 1

    @property
    def enabled_questions(self) -> list[Question]:
        """The questions that are graded, in order."""
        return [question for question in self.questions if question.enabled]

    def limits_of(self, question: Question) -> Limits:
        """The assignment's limits with the question's own in their place."""
        own = msgspec.structs.asdict(question.limits)
        changed = {key: value for key, value in own.items() if value is not None}
        return msgspec.structs.replace(self.limits, **changed)


def parse_manifest(text: str, where: object) -> Manifest:
    """Parse and validate one assignment.toml.

    Args:
        text: its content.
        where: its path, for the message.

    Raises:
        CourseError: naming the offending key's path and the fix.
    """
    try:
        manifest = msgspec.toml.decode(text, type=Manifest)
    except msgspec.ValidationError as error:
        raise CourseError(where, _lower_first(str(error)).replace("`$.", "`"), _fix(error)) from None
    except msgspec.DecodeError as error:
        raise CourseError(
            where, f"expected TOML, got: {error}", "mend the line that it names."
        ) from None
    for problem, fix in _inconsistencies(manifest):
        raise CourseError(where, problem, fix)
    return manifest


def _lower_first(text: str) -> str:
    return text[:1].lower() + text[1:]


def _fix(error: msgspec.ValidationError) -> str:
    text = str(error)
    where = re.search(r"`\$\.?([^`]*)`$", text)
    key = where.group(1) if where and where.group(1) else "the key that it names"
    if "missing required field" in text:
        return "add the field; docs/write-an-assignment.md lists them all."
    if "unknown field" in text:
        return "remove the field, or correct its spelling."
    if "expected `float`" in text or "expected `int`" in text.lower():
        return f"write a number without quotes, such as `{key.split('.')[-1]} = 2`."
    return f"correct `{key}`; docs/write-an-assignment.md says what each key may hold."


def _inconsistencies(manifest: Manifest) -> Iterator[tuple[str, str]]:
    for field in ("name", "file"):
        seen: set[str] = set()
        for at, question in enumerate(manifest.questions):
            value = getattr(question, field)
            if value in seen:
                yield f"two questions have the {field} {value!r} - at `questions[{at}].{field}`", (
                    f"give each question a {field} of its own."
                )
            seen.add(value)
    earlier: set[str] = set()
    for at, question in enumerate(manifest.questions):
        yield from _question_inconsistencies(question, at, earlier, manifest.packages)
        earlier.add(question.name)


def _question_inconsistencies(
    question: Question, at: int, earlier: set[str], packages: Sequence[str]
) -> Iterator[tuple[str, str]]:
    for need in question.needs:
        if need not in earlier:
            yield (
                f"expected the name of an earlier question, got {need!r} - at `questions[{at}].needs`",
                "name questions that stand above this one, or leave `needs` out.",
            )
    for function in question.functions:
        if not function.isidentifier():
            yield (
                f"expected a Python name, got {function!r} - at `questions[{at}].functions`",
                "write each function's name alone, without parentheses.",
            )
    if abs(question.points * 100 - round(question.points * 100)) > 1e-9:
        yield (
            f"expected points in hundredths, got {question.points} - at `questions[{at}].points`",
            "round it to two decimals.",
        )
    if question.module in sys.stdlib_module_names or question.module in packages:
        yield (
            f"{question.file!r} would hide a module of Python's - at `questions[{at}].file`",
            f"rename it, such as `step{at + 1}_{question.name}.py`.",
        )
    numbered = STEP_FILE.match(PurePath(question.file).name)
    if numbered and int(numbered.group(1)) != at + 1:
        yield (
            f"expected step {at + 1}, got the file name {question.file!r} - at `questions[{at}].file`",
            "let the number in the file name be the question's place in the list.",
        )
