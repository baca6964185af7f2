"""The text of assignment.toml → Manifest, or what is wrong with it; reads no other file."""

from __future__ import annotations

import keyword
import re
import sys
from collections.abc import Iterator, Sequence

import msgspec

from autograder.errors import CourseError
from autograder.manifest.explain import explain, shortened
from autograder.manifest.schema import Given, Manifest, Question

_STEP_FILE = re.compile(r"step(\d+)_")

Problem = tuple[str, str]  # what is wrong and where, how to mend it


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
    except (msgspec.DecodeError, ValueError, RecursionError) as error:
        fix = "mend the line that it names."
        raise CourseError(where, f"expected TOML, got: {shortened(str(error))}", fix) from None
    try:
        manifest = msgspec.convert(raw, Manifest)
    except msgspec.ValidationError as error:
        raise CourseError(where, *explain(str(error), raw)) from None
    for problem, fix in _inconsistencies(manifest):
        raise CourseError(where, problem, fix)
    return manifest


def _inconsistencies(manifest: Manifest) -> Iterator[Problem]:
    """What no single key shows: names used twice, steps out of order, nothing to grade."""
    for at, question in enumerate(manifest.questions):
        place = f" - at questions[{at}]"
        yield from _used_twice(question, manifest.questions[:at], place)
        yield from _wrong_needs(question, manifest.questions[:at], place)
        yield from _wrong_functions(question, place)
        yield from _wrong_points(question, place)
        yield from _wrong_file(question, at, place)
    for at, given in enumerate(manifest.given):
        yield from _wrong_given(given, [*manifest.questions, *manifest.given[:at]], at)
    if not manifest.enabled_questions:
        yield (
            "expected at least one enabled question, got none - at questions",
            "take `enabled = false` out of one of them.",
        )


def _used_twice(question: Question, earlier: list[Question], place: str) -> Iterator[Problem]:
    for other in earlier:
        if question.name == other.name:
            said = f"two questions have the name {question.name!r}{place}.name"
            yield said, "give each question a name of its own."
        if question.file.casefold() == other.file.casefold():  # one file on many computers
            said = f"two questions have the file {question.file!r}{place}.file"
            yield said, "give each question a file of its own."
        for function in set(question.functions) & set(other.functions):
            said = f"two questions have the function {_quoted(function)}{place}.functions"
            yield said, f"leave it to {other.name!r} alone: graders find a function by its name."


def _wrong_given(given: Given, others: Sequence[Question | Given], at: int) -> Iterator[Problem]:
    place = f" - at given[{at}]"
    yield from _wrong_functions(given, place)
    yield from _wrong_module(given, place, "give it another name.")
    for other in others:
        if given.file.casefold() == other.file.casefold():
            said = f"{given.file!r} is given, and named elsewhere too{place}.file"
            yield said, "a step is written by students, a given file is not: name it once."
        for function in set(given.functions) & set(other.functions):
            said = f"{other.file!r} has a function {_quoted(function)} too{place}.functions"
            yield said, "give one of them another name: graders find a function by its name."


def _wrong_needs(question: Question, earlier: list[Question], place: str) -> Iterator[Problem]:
    for need in question.needs:
        if need not in [other.name for other in earlier]:
            yield (
                f"expected an earlier question's name, got {_quoted(need)}{place}.needs",
                "name questions that stand above this one, or leave `needs` out.",
            )


def _wrong_functions(question: Question | Given, place: str) -> Iterator[Problem]:
    for function in question.functions:
        is_name = function.isidentifier() and not keyword.iskeyword(function)
        if not is_name or function.startswith("_"):
            yield (
                f"expected the name of a public function, got {_quoted(function)}{place}.functions",
                "write each function's name alone, without parentheses or a leading underscore.",
            )


def _wrong_points(question: Question, place: str) -> Iterator[Problem]:
    if abs(question.points * 100 - round(question.points * 100)) > 1e-6:
        yield (
            f"expected points in hundredths, got {question.points}{place}.points",
            "round it to two decimals.",
        )


def _wrong_file(question: Question, at: int, place: str) -> Iterator[Problem]:
    rename = f"rename it, such as `step{at + 1}_{question.name}.py`."
    yield from _wrong_module(question, place, rename)
    numbered = _STEP_FILE.match(question.file)
    if numbered and int(numbered.group(1)) != at + 1:
        yield (
            f"expected step {at + 1}, got {question.file!r}{place}.file",
            "let the number in the file name be the question's place in the list.",
        )


def _wrong_module(question: Question | Given, place: str, rename: str) -> Iterator[Problem]:
    if question.module in sys.stdlib_module_names or question.module in ("numpy", "torch"):
        yield f"{question.file!r} would hide a module of Python's{place}.file", rename
    if keyword.iskeyword(question.module):
        yield f"{question.file!r} cannot be imported by that name{place}.file", rename
    if question.module == "conftest" or question.module.startswith("test_"):
        yield f"pytest would take {question.file!r} for a file of tests{place}.file", rename


def _quoted(text: str) -> str:
    """A text of the file that may be of any length."""
    return shortened(repr(text))
