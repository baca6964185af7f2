"""One check as collected: what its marks say, and what is wrong with its file; runs nothing."""

from __future__ import annotations

import ast
import functools
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

import pytest

from autograder.manifest import Assignment
from autograder.results import Visibility


@dataclass(frozen=True)
class Check:
    """A test function of one question; its parametrised cases share it."""

    assignment: str
    question: str
    name: str
    weight: int
    visibility: Visibility
    fresh: bool
    file: Path

    @property
    def hidden(self) -> bool:
        """Whether students may see nothing of it but fixed phrases."""
        return self.visibility == "hidden"


CHECK = pytest.StashKey[Check]()


@dataclass(frozen=True)
class GraderMistake:
    """Something wrong in a grader file."""

    file: Path
    line: int
    problem: str
    fix: str

    def __str__(self) -> str:
        return f"{self.file}:{self.line}: {self.problem}\n  Fix: {self.fix}"


def read_check(item: pytest.Function, assignment: Assignment) -> Check | GraderMistake:
    """What one collected test function says of itself."""
    path = item.path
    line = item.function.__code__.co_firstlineno

    def wrong(problem: str, fix: str) -> GraderMistake:
        return GraderMistake(path, line, problem, fix)

    known = [question.name for question in assignment.manifest.questions]
    names = {mark.args[0] if mark.args else None for mark in item.iter_markers("question")}
    if len(names) != 1:
        return wrong(
            f"{item.originalname} has {len(names)} questions; expected one",
            f'write `pytestmark = question("{known[0]}")` at the top of the file.',
        )
    (question,) = names
    if question not in known:
        return wrong(
            f"there is no question {question!r} in assignment.toml",
            f"use one of: {', '.join(known)}.",
        )
    mark = item.get_closest_marker("weight")
    weight = 1 if mark is None else (mark.args[0] if mark.args else None)
    if not isinstance(weight, int) or isinstance(weight, bool) or weight < 1:
        return wrong(
            f"expected a whole weight of at least 1, got {weight!r}",
            "write `@weight(2)`; points themselves stand in assignment.toml.",
        )
    return Check(
        assignment=assignment.name,
        question=str(question),
        name=item.originalname.removeprefix("test_"),
        weight=weight,
        visibility="public" if path.is_relative_to(assignment.handout) else "hidden",
        fresh=item.get_closest_marker("fresh") is not None,
        file=path,
    )


def duplicate_names(checks: Sequence[tuple[pytest.Function, Check]]) -> Iterator[GraderMistake]:
    """Two test functions of one question with one name: their points could not be told apart."""
    first: dict[tuple[str, str], tuple[Path, str]] = {}
    for item, check in checks:
        place = (item.path, item.originalname)
        before = first.setdefault((check.question, check.name), place)
        if before != place:
            yield GraderMistake(
                item.path,
                item.function.__code__.co_firstlineno,
                f"{item.originalname} is also a check of {before[0].name}, of the same question",
                "give one of them another name.",
            )


def unworded_asserts(path: Path) -> Iterator[GraderMistake]:
    """Asserts of a hidden grader whose message is no plain string: it is shown to students."""
    for statement in _asserts(path):
        if not _is_phrase(statement.msg):
            yield GraderMistake(
                path,
                statement.lineno,
                "this assert has no message of its own; a hidden check answers in fixed phrases",
                'write `assert …, "what the student sees, and a question"`, a plain string.',
            )


def assert_phrase(path: Path, line: int) -> str:
    """The message of the assert that spans `line`, "" when it is no plain string."""
    for statement in _asserts(path):
        if statement.lineno <= line <= (statement.end_lineno or statement.lineno):
            message = statement.msg
            if isinstance(message, ast.Constant) and isinstance(message.value, str):
                return message.value
    return ""


def _is_phrase(message: ast.expr | None) -> bool:
    return isinstance(message, ast.Constant) and isinstance(message.value, str)


@functools.cache
def _asserts(path: Path) -> tuple[ast.Assert, ...]:
    tree = ast.parse(path.read_text(encoding="utf-8"), str(path))
    return tuple(node for node in ast.walk(tree) if isinstance(node, ast.Assert))
