"""The reference solutions as functions of the grading process; a student's file never gets here."""

from __future__ import annotations

import importlib.util
import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from importlib.machinery import ModuleSpec
from pathlib import Path
from types import ModuleType
from typing import Any

from autograder.errors import CourseError
from autograder.manifest import Assignment


class _Finder:
    """Finds the reference modules by the names they import each other with."""

    def __init__(self, folder: Path, names: Sequence[str]) -> None:
        self._folder = folder
        self._names = frozenset(names)

    def find_spec(
        self, fullname: str, path: Sequence[str] | None, target: ModuleType | None = None
    ) -> ModuleSpec | None:
        if fullname not in self._names:
            return None
        return importlib.util.spec_from_file_location(fullname, self._folder / f"{fullname}.py")


@contextmanager
def importable(folder: Path, names: Sequence[str]) -> Iterator[None]:
    """The references can be imported by name inside, and leave no trace in `sys.modules`."""
    finder = _Finder(folder, names)
    before = {name: sys.modules.pop(name) for name in names if name in sys.modules}
    sys.meta_path.insert(0, finder)
    try:
        yield
    finally:
        sys.meta_path.remove(finder)
        for name in names:
            sys.modules.pop(name, None)
        sys.modules.update(before)


def import_packages(assignment: Assignment) -> None:
    """Import torch where an assignment needs it, with one thread: submissions are graded in forks
    of this process, which must find no other. Raises `CourseError` where it cannot be had."""
    if "torch" not in assignment.manifest.packages:
        return
    try:
        import torch
    except ImportError as error:
        raise CourseError(
            assignment.name,
            f"uses torch, which cannot be imported here: {error}",
            "install it: `pip install -c constraints.txt -e '.[torch]'` in a checkout.",
        ) from error
    torch.set_num_threads(1)


class References:
    """`references.scale_scores(...)` is the reference's `scale_scores`.

    Args:
        replaced: functions by name to take in the place of the references' own, for the later
            steps that import them as well.

    Raises:
        CourseError: a reference is missing, cannot be imported, or lacks a function.
    """

    def __init__(
        self, assignment: Assignment, replaced: Mapping[str, Callable[..., Any]] | None = None
    ) -> None:
        import_packages(assignment)
        self._functions: dict[str, Callable[..., Any]] = {}
        questions = assignment.manifest.questions
        with importable(assignment.solutions, names_of(assignment)):
            for question in questions:
                path = assignment.solutions / question.file
                module = _import(question.module, path)
                for name in question.functions:
                    if not callable(getattr(module, name, None)):
                        raise CourseError(
                            path,
                            f"expected a function {name!r}, as assignment.toml says",
                            "write it, or correct `functions` in assignment.toml.",
                        )
                    if replaced and name in replaced:
                        setattr(module, name, replaced[name])
                    self._functions[name] = getattr(module, name)

    def __getattr__(self, name: str) -> Callable[..., Any]:
        functions: dict[str, Callable[..., Any]] = self.__dict__.get("_functions", {})
        if name not in functions:
            raise AttributeError(f"no question of this assignment has a function {name!r}")
        return functions[name]


def names_of(assignment: Assignment) -> list[str]:
    """The modules that references and student steps import each other by."""
    return [question.module for question in assignment.manifest.questions]


def _import(name: str, path: Path) -> ModuleType:
    try:
        return importlib.import_module(name)
    except Exception as error:
        raise CourseError(
            path,
            f"the reference cannot be imported: {type(error).__name__}: {error}",
            "mend it; graders compare students' answers with it.",
        ) from error
