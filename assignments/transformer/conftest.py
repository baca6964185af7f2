"""Gives the public checks your step files; compares nothing itself.

You need not read this. It imports only the file that a check needs, so an unfinished step does not
disturb the others.
"""

from __future__ import annotations

import importlib
import re
import sys
import traceback
from collections.abc import Callable
from pathlib import Path
from typing import Any, NoReturn

import pytest

HERE = Path(__file__).resolve().parent
MAX_MESSAGE = 300
MAX_CALLERS = 4
DEVICES = {
    "mixes": "mixes tensors of two devices. Which tensor is made there without `device=`?",
    "leaves": "gives back one of another. Which tensor is made there without `device=`?",
}


def pytest_configure(config: pytest.Config) -> None:
    """Register the marks of the checks, and let the steps import each other."""
    config.addinivalue_line("markers", "question(name): the question that a check belongs to")
    config.addinivalue_line("markers", "weight(n): a check's share of its question's points")
    if str(HERE) not in sys.path:
        sys.path.insert(0, str(HERE))


@pytest.fixture
def student() -> Student:
    """`student.f(...)` calls your function f, in whichever step file it belongs to."""
    return Student()


class Student:
    """Looks up a function or class by its name in the file that assignment.toml gives it."""

    def __getattr__(self, name: str) -> Callable[..., Any]:
        if name.startswith("__"):
            raise AttributeError(name)
        file = _file_of(name)
        if not (HERE / file).is_file():
            _fail(f"{file} is missing: it belongs beside conftest.py.")
        module = _attempt(file, importlib.import_module, file.removesuffix(".py"))
        function = getattr(module, name, None)
        if not callable(function):
            _fail(f"{file}: there is no function called {name} in it. Was it renamed?")

        def call(*args: Any, **kwargs: Any) -> Any:
            answer = _attempt(file, function, *args, **kwargs)
            if answer is None:
                _fail(f"{file}: {name} returned nothing. Is there a line that says return?")
            return answer

        return call


@pytest.fixture
def portable() -> Portable:
    """`portable.f(...)` calls your function f, and once more as on another device."""
    return Portable()


class Portable(Student):
    """As `student`, and the function leaves its tensors where they are: that needs no GPU."""

    def __getattr__(self, name: str) -> Callable[..., Any]:
        usual = super().__getattr__(name)

        def call(*args: Any, **kwargs: Any) -> Any:
            answer = usual(*args, **kwargs)
            function = getattr(importlib.import_module(_file_of(name).removesuffix(".py")), name)
            moved = importlib.import_module("another_device").moved
            verdict, error = moved(function, args, kwargs)
            if verdict in DEVICES:
                frames = [] if error is None else _frames(error)
                where = [f"({Path(one.filename).name}, line {one.lineno})" for one in frames]
                _fail(f"On a GPU `{name}` {DEVICES[verdict]} {''.join(where[-1:])}".rstrip())
            return answer

        return call


def _file_of(function: str) -> str:
    manifest = (HERE / "assignment.toml").read_text(encoding="utf-8")
    for table in re.split(r"^\[\[(?:given|questions)\]\]", manifest, flags=re.MULTILINE)[1:]:
        file = re.search(r'^file *= *"(.+?)"', table, re.MULTILINE)
        functions = re.search(r"^functions *= *\[(.*?)\]", table, re.MULTILINE | re.DOTALL)
        if file and functions and f'"{function}"' in functions[1]:
            return file[1]
    raise LookupError(f"assignment.toml names no function {function}")


def _attempt(file: str, function: Callable[..., Any], *args: Any, **kwargs: Any) -> Any:
    problem = ""
    try:
        return function(*args, **kwargs)
    except (Exception, SystemExit) as error:
        problem = _describe(error, file)
    _fail(problem)  # out here, so that pytest prints this and not the error once more


def _describe(error: BaseException, file: str) -> str:
    """File, line and error in a few lines: only lines of the step files, none of anyone else's."""
    if isinstance(error, SyntaxError):
        name = Path(error.filename or file).name
        source = (error.text or "").strip()
        return f"{name}, line {error.lineno}: Python cannot read this: {error.msg}\n    {source}"
    frames = _frames(error)
    where = [f"{Path(frame.filename).name}, line {frame.lineno}" for frame in frames] or [file]
    if isinstance(error, NotImplementedError):
        return f"{where[-1]}: not written yet ({error})"
    if isinstance(error, SystemExit):
        return f"{where[-1]}: it ends Python (exit or quit); a step has to return its result."
    lines = [f"{where[-1]}: {type(error).__name__}: {str(error)[:MAX_MESSAGE]}"]
    if frames and frames[-1].line:
        lines.append(f"    {frames[-1].line}")
    lines += [f"    called from {place}" for place in where[-2 : -2 - MAX_CALLERS : -1]]
    return "\n".join(lines)


def _frames(error: BaseException) -> list[traceback.FrameSummary]:
    """The lines of step files that led to an error."""
    return [
        frame
        for frame in traceback.extract_tb(error.__traceback__)
        if Path(frame.filename).resolve().parent == HERE
        and Path(frame.filename).name not in ("conftest.py", "another_device.py")
    ]


def _fail(message: str) -> NoReturn:
    pytest.fail(message, pytrace=False)
