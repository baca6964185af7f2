"""Known wrong answers (`mistakes*.py`) and other right ones (`variants*.py`) of an assignment, as
functions of the grading process; nothing of them ever gets into a worker or a handout."""

from __future__ import annotations

import ast
import importlib.util
import inspect
import traceback
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from pathlib import Path
from types import ModuleType
from typing import Any, TypeVar

from autograder.errors import CourseError
from autograder.grading.references import importable
from autograder.manifest import Assignment, Question

MISTAKES, VARIANTS = "mistakes*.py", "variants*.py"
_MARK = "__answer__"  # on a marked function

F = TypeVar("F", bound=Callable[..., Any])


@dataclass(frozen=True, kw_only=True)
class Variant:
    """Another right answer to one question.

    Args:
        name: of its function in variants.py.
        function: the student's function that it stands for.
    """

    name: str
    question: str
    function: str
    call: Callable[..., Any]

    @property
    def where(self) -> str:
        """Its file and line."""
        call = inspect.unwrap(self.call)
        own = vars(call).values() if inspect.isclass(call) else [call]  # the module is forgotten
        codes = [one.__code__ for one in own if inspect.isfunction(one)]
        first = min(codes, key=lambda code: code.co_firstlineno, default=None)
        return f"{first.co_filename}:{first.co_firstlineno}" if first else call.__module__


@dataclass(frozen=True, kw_only=True)
class Mistake(Variant):
    """A known wrong answer.

    Args:
        kind: the cause, in a few words; several mistakes may be forms of one kind.
        symptom: for the student at once: what is seen, and a question.
        answer: for the student after the due date: the fix.
        place: in the file, from 0: what comes first is the more fundamental.
    """

    kind: str
    symptom: str
    answer: str
    place: int = 0


def mistake(
    question: str, *, kind: str, symptom: str, answer: str, function: str = ""
) -> Callable[[F], F]:
    """Mark a function of mistakes.py as a wrong answer to `question`.

    Args:
        function: which of the question's functions it stands for, if there are several.
    """

    def mark(call: F) -> F:
        found = Mistake(
            name=_name_of(call),
            question=question,
            function=function,
            call=call,
            kind=kind,
            symptom=symptom,
            answer=answer,
        )
        setattr(call, _MARK, found)
        return call

    _expect_name(question)
    return mark


def variant(question: str, *, function: str = "") -> Callable[[F], F]:
    """Mark a function of variants.py as another right answer to `question`."""

    def mark(call: F) -> F:
        found = Variant(name=_name_of(call), question=question, function=function, call=call)
        setattr(call, _MARK, found)
        return call

    _expect_name(question)
    return mark


def _expect_name(question: object) -> None:
    """Refuse `@variant` alone, which would mark nothing, with a `TypeError` at its line."""
    if not isinstance(question, str):
        raise TypeError("expected a question's name, such as @variant('scaling')")


def _name_of(call: object) -> str:
    if not (inspect.isfunction(call) or inspect.isclass(call)):
        raise TypeError(f"expected a function or class below the mark, got {call!r}")
    return call.__name__


def load_mistakes(assignment: Assignment) -> list[Mistake]:
    """The assignment's known mistakes, in the order of their files; none where there is no file.

    Raises:
        CourseError: the file cannot be imported, or one of them is not well described.
    """
    found = [one for one in _marked(assignment, MISTAKES) if isinstance(one, Mistake)]
    for one in found:
        for problem, fix in _badly_described(one):
            raise _wrong(one, problem, fix)
    return [replace(one, place=place) for place, one in enumerate(found)]


def load_variants(assignment: Assignment) -> list[Variant]:
    """The assignment's other right answers; none where there is no file.

    Raises:
        CourseError: the file cannot be imported, or names a question that there is not.
    """
    return _marked(assignment, VARIANTS)


def _marked(assignment: Assignment, pattern: str) -> list[Variant]:
    found: dict[str, Variant] = {}
    for path in sorted(assignment.graders.glob(pattern)):
        with importable(assignment):
            module = _imported(path)
        for problem in _overwritten(path):
            raise problem
        for value in vars(module).values():
            one = getattr(value, "__dict__", {}).get(_MARK)  # a class inherits nobody's
            if isinstance(one, Variant):
                if one.name in found:
                    raise _wrong(one, "there is another of this name", "give it its own.")
                found[one.name] = _placed(one, assignment)
    return list(found.values())


def _imported(path: Path) -> ModuleType:
    spec = importlib.util.spec_from_file_location(path.stem, path)
    assert spec is not None, "a .py file has a loader"
    assert spec.loader is not None, "a .py file has a loader"
    module = importlib.util.module_from_spec(spec)
    try:
        spec.loader.exec_module(module)
    except (Exception, SystemExit) as error:
        line = _line_of(error, path)
        raise CourseError(
            f"{path}:{line}" if line else path,
            f"cannot be imported: {type(error).__name__}: {error}",
            "mend it.",
        ) from error
    return module


def _line_of(error: BaseException, path: Path) -> int | None:
    """The last line of the file that had to do with it."""
    if isinstance(error, SyntaxError) and error.filename == str(path):
        return error.lineno
    frames = traceback.extract_tb(error.__traceback__)
    return next((one.lineno for one in reversed(frames) if one.filename == str(path)), None)


def _overwritten(path: Path) -> Iterator[CourseError]:
    """Marked functions that a later one of the same name replaces: nobody would see them."""
    marked: dict[str, int] = {}
    for statement in ast.parse(path.read_bytes(), str(path)).body:
        if not isinstance(statement, ast.FunctionDef | ast.ClassDef):
            continue
        name, marks = statement.name, statement.decorator_list
        line = marks[0].lineno if marks else statement.lineno
        if name in marked:
            problem = f"there is another of this name at line {marked[name]} - at {name}"
            yield CourseError(f"{path}:{line}", problem, "give it its own.")
        if marks:
            marked[name] = line


def _placed(one: Variant, assignment: Assignment) -> Variant:
    """With the function that it stands for; raises `CourseError`."""
    questions = {question.name: question for question in assignment.manifest.questions}
    if one.question not in questions:
        known = ", ".join(questions)
        raise _wrong(one, f"there is no question {one.question!r}", f"use one of: {known}.")
    function = one.function or _only_function(one, questions[one.question])
    if function not in questions[one.question].functions:
        raise _wrong(
            one,
            f"{one.question!r} has no function {function!r}",
            f"use one of: {', '.join(questions[one.question].functions)}.",
        )
    return replace(one, function=function)


def _only_function(one: Variant, question: Question) -> str:
    if len(question.functions) > 1:
        raise _wrong(
            one,
            f"{question.name!r} has several functions",
            f"say which: function={question.functions[0]!r}.",
        )
    return question.functions[0]


def _badly_described(one: Mistake) -> Iterator[tuple[str, str]]:
    for name in ("kind", "symptom", "answer"):
        text = getattr(one, name)
        if not isinstance(text, str) or not text.strip():
            yield f"its {name} is empty", f"write {name}='…'."
    if "?" not in one.symptom:
        yield "its symptom asks nothing", "say what is seen, then ask a question."


def _wrong(one: Variant, problem: str, fix: str) -> CourseError:
    return CourseError(one.where, f"{problem} - at {one.name}", fix)
