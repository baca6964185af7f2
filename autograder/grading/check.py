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
_Place = tuple[object, str]  # a module or a class, and the function in it
_HIDDEN_ONLY = frozenset(
    {"compare", "device", "gradients", "probe", "reference", "refuses", "rng", "unmodified"}
)  # no handout has them


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
    known = [question.name for question in assignment.manifest.questions]
    questions = {_argument(mark) for mark in item.iter_markers("question")}
    if len(questions) != 1:
        return _mistake(
            item,
            f"{item.originalname} has {len(questions)} questions; expected one",
            f'write `pytestmark = question("{known[0]}")` at the top of the file.',
        )
    (question,) = questions
    if question not in known:
        return _mistake(
            item,
            f"there is no question {question!r} in assignment.toml",
            f"use one of: {', '.join(known)}.",
        )
    mark = item.get_closest_marker("weight")
    weight = 1 if mark is None else _argument(mark)
    if not isinstance(weight, int) or isinstance(weight, bool) or weight < 1:
        return _mistake(
            item,
            f"expected a whole weight of at least 1, got {weight!r}",
            "write `@weight(2)`; points themselves stand in assignment.toml.",
        )
    check = Check(
        assignment=assignment.name,
        question=str(question),
        name=item.originalname.removeprefix("test_"),
        weight=weight,
        visibility="public" if item.path.is_relative_to(assignment.handout) else "hidden",
        fresh=item.get_closest_marker("fresh") is not None,
        file=item.path,
    )
    return _wrong_fixture(item, check) or check


def _argument(mark: pytest.Mark) -> object:
    """What a mark was given; as text where it could be no member of a set."""
    given = mark.args[0] if len(mark.args) == 1 and not mark.kwargs else None
    return given if isinstance(given, str | int | float | None) else repr(given)


def _wrong_fixture(item: pytest.Function, check: Check) -> GraderMistake | None:
    """A fixture that is not there, here or in the handout: it would be found at the first call."""
    there = {"request", *item._fixtureinfo.name2fixturedefs}
    unknown = sorted(set(item.fixturenames) - there)
    if unknown:
        known = ", ".join(["student", "portable", *sorted(_HIDDEN_ONLY)])
        return _mistake(
            item,
            f"there is no fixture {unknown[0]!r}",
            f"ask for {known}, or a fixture of the file's own.",
        )
    elsewhere = sorted(_HIDDEN_ONLY.intersection(item.fixturenames))
    if elsewhere and not check.hidden:
        return _mistake(
            item,
            f"a public check asks for {elsewhere[0]!r}, which no handout has",
            f"use `student` alone, or move the check to tests/{check.assignment}.",
        )
    return None


def _mistake(item: pytest.Function, problem: str, fix: str) -> GraderMistake:
    return GraderMistake(item.path, item.function.__code__.co_firstlineno, problem, fix)


def clashes(checks: Sequence[tuple[pytest.Function, Check]]) -> Iterator[GraderMistake]:
    """Two test functions of one question with one name, whose points could not be told apart; and
    cases of one function that do not agree on what they are worth."""
    first: dict[tuple[str, str], pytest.Function] = {}
    said: dict[_Place, Check] = {}
    for item, check in checks:
        before = first.setdefault((check.question, check.name), item)
        if _place(before) != _place(item):
            yield _mistake(
                item,
                f"{item.originalname} is also a check of {before.path.name}, of the same question",
                "give one of them another name.",
            )
        elif said.setdefault(_place(item), check) != check:
            yield _mistake(
                item,
                f"the cases of {item.originalname} have different marks",
                "mark the function, not its cases; or make it two functions.",
            )


def _place(item: pytest.Function) -> _Place:
    return item.parent, item.originalname


def overwritten(path: Path) -> Iterator[GraderMistake]:
    """Test functions that a later one of the same name replaces: they would never run."""
    last: dict[str, int] = {}
    for statement in _tree(path).body:
        if isinstance(statement, ast.FunctionDef) and statement.name.startswith("test"):
            if statement.name in last:
                yield GraderMistake(
                    path,
                    statement.lineno,
                    f"{statement.name} stands at line {last[statement.name]} already",
                    "give one of them another name.",
                )
            last[statement.name] = statement.lineno


def unworded_asserts(path: Path) -> Iterator[GraderMistake]:
    """Asserts of a hidden grader whose message is no plain string: it is shown to students."""
    for statement in _asserts(path):
        if not _phrase(statement).strip():
            problem = "its message is no plain string" if statement.msg else "it has no message"
            yield GraderMistake(
                path,
                statement.lineno,
                f"this assert cannot tell a student anything: {problem}",
                'write `assert …, "what the student sees, and a question"`, a plain string.',
            )


def assert_phrase(path: Path, line: int) -> str:
    """The message of the assert that spans `line`, "" when it is no plain string."""
    for statement in _asserts(path):
        if statement.lineno <= line <= (statement.end_lineno or statement.lineno):
            return _phrase(statement)
    return ""


def forget_files() -> None:
    """Read every file anew from here on: it may have been edited since the last collection."""
    _tree.cache_clear()


def _phrase(statement: ast.Assert) -> str:
    value = statement.msg.value if isinstance(statement.msg, ast.Constant) else None
    return value if isinstance(value, str) else ""


def _asserts(path: Path) -> list[ast.Assert]:
    return [node for node in ast.walk(_tree(path)) if isinstance(node, ast.Assert)]


@functools.cache
def _tree(path: Path) -> ast.Module:
    return ast.parse(path.read_bytes(), str(path))
