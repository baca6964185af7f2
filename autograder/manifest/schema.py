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
        raw = msgspec.toml.decode(text)
    except (msgspec.DecodeError, UnicodeError) as error:
        fix = "mend the line that it names."
        raise CourseError(where, f"expected TOML, got: {error}", fix) from None
    try:
        manifest = msgspec.convert(raw, Manifest)
    except msgspec.ValidationError as error:
        raise CourseError(where, *_explained(str(error), raw)) from None
    for problem, fix in _inconsistencies(manifest):
        raise CourseError(where, problem, fix)
    return manifest


def _explained(said: str, raw: object) -> tuple[str, str]:
    """msgspec's message with the value that was got, and how to mend it."""
    problem, _, path = said.partition(" - at `$")
    key = path.strip("`.")
    problem = problem[:1].lower() + problem[1:]
    got = _value_at(raw, key)
    if isinstance(got, str | int | float | bool) and "field" not in problem:
        problem = f"{problem.partition(', got')[0]}, got {msgspec.json.encode(got).decode()}"
    problem = problem.replace("expected `float`", "expected a number")
    where = f" - at {key}" if key else ""
    if "missing required field" in problem:
        return problem + where, "add the field; docs/write-an-assignment.md lists them all."
    if "unknown field" in problem:
        return problem + where, "remove the field, or correct its spelling."
    if "expected a number" in problem or "expected `int`" in problem:
        return problem + where, f"write a number, such as `{key.rpartition('.')[2]} = 2`."
    return problem + where, "docs/write-an-assignment.md says what each key may hold."


def _value_at(raw: object, key: str) -> object:
    """The value at a path such as `questions[2].points`, None when there is none."""
    for name, index in re.findall(r"([^.\[\]]+)|\[(\d+)\]", key):
        if isinstance(raw, dict):
            raw = raw.get(name)
        elif isinstance(raw, list) and index:
            raw = raw[int(index)]
        else:
            return None
    return raw


def _inconsistencies(manifest: Manifest) -> Iterator[tuple[str, str]]:
    for field in ("name", "file"):
        seen: set[str] = set()
        for at, question in enumerate(manifest.questions):
            value = getattr(question, field)
            if value in seen:
                yield (
                    f"two questions have the {field} {value!r} - at questions[{at}].{field}",
                    (f"give each question a {field} of its own."),
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
                f"expected an earlier question's name, got {need!r} - at questions[{at}].needs",
                "name questions that stand above this one, or leave `needs` out.",
            )
    for function in question.functions:
        if not function.isidentifier():
            yield (
                f"expected a Python name, got {function!r} - at questions[{at}].functions",
                "write each function's name alone, without parentheses.",
            )
    if abs(question.points * 100 - round(question.points * 100)) > 1e-9:
        yield (
            f"expected points in hundredths, got {question.points} - at questions[{at}].points",
            "round it to two decimals.",
        )
    if question.module in sys.stdlib_module_names or question.module in packages:
        yield (
            f"{question.file!r} would hide a module of Python's - at questions[{at}].file",
            f"rename it, such as `step{at + 1}_{question.name}.py`.",
        )
    numbered = STEP_FILE.match(PurePath(question.file).name)
    if numbered and int(numbered.group(1)) != at + 1:
        yield (
            f"expected step {at + 1}, got {question.file!r} - at questions[{at}].file",
            "let the number in the file name be the question's place in the list.",
        )
