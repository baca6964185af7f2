"""The reference solutions as functions of the grading process; a student's file never gets here."""

from __future__ import annotations

import functools
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
from autograder.worker.compiler import import_compiler


class _Finder:
    """Finds the reference modules by the names they import each other with."""

    def __init__(self, paths: Mapping[str, Path]) -> None:
        self._paths = paths

    def find_spec(
        self, fullname: str, path: Sequence[str] | None, target: ModuleType | None = None
    ) -> ModuleSpec | None:
        if fullname not in self._paths:
            return None
        return importlib.util.spec_from_file_location(fullname, self._paths[fullname])


@contextmanager
def importable(assignment: Assignment) -> Iterator[None]:
    """The references and what is given to students can be imported by name inside, and leave no
    trace in `sys.modules`."""
    names = _paths(assignment)
    finder = _Finder(names)
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


def ready_for_forks(assignment: Assignment) -> None:
    """Import what torch itself imports when it is needed, before many forks of this process would
    each do it."""
    if "torch" in assignment.manifest.packages:
        import_compiler()


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
        self._assignment = assignment
        self._replaced = dict(replaced or {})
        self._functions: dict[str, Callable[..., Any]] = {}
        manifest = assignment.manifest
        with importable(assignment):
            for one in manifest.parts:
                path = _paths(assignment)[one.module]
                module = _import(one.module, path)
                for name in one.functions:
                    if not callable(getattr(module, name, None)):
                        raise CourseError(
                            path,
                            f"expected a function {name!r}, as assignment.toml says",
                            "write it, or correct `functions` in assignment.toml.",
                        )
                    if name in self._replaced:
                        setattr(module, name, self._replaced[name])
                    self._functions[name] = getattr(module, name)
            modules = {name: sys.modules[name] for name in _paths(assignment)}
        for name in manifest.given_functions:  # it imports steps when it is called
            self._functions[name] = _among(modules, self._functions[name])

    def with_steps(self, steps: Mapping[str, Callable[..., Any]]) -> References:
        """The same references with these functions in the place of their own."""
        return References(self._assignment, {**self._replaced, **steps})

    def __getattr__(self, name: str) -> Callable[..., Any]:
        functions: dict[str, Callable[..., Any]] = self.__dict__.get("_functions", {})
        if name not in functions:
            raise AttributeError(f"no question of this assignment has a function {name!r}")
        return functions[name]


def _among(modules: Mapping[str, ModuleType], function: Callable[..., Any]) -> Callable[..., Any]:
    """The same function, which finds these modules when it imports them."""

    @functools.wraps(function)
    def call(*arguments: object, **named: object) -> Any:
        before = {name: sys.modules[name] for name in modules if name in sys.modules}
        sys.modules.update(modules)
        try:
            return function(*arguments, **named)
        finally:
            for name in modules:
                del sys.modules[name]
            sys.modules.update(before)

    return call


def _paths(assignment: Assignment) -> dict[str, Path]:
    """Where each module lies that references import: their own, and those that are given."""
    manifest = assignment.manifest
    own = {one.module: assignment.solutions / one.file for one in manifest.questions}
    return own | {one.module: assignment.handout / one.file for one in manifest.given}


def _import(name: str, path: Path) -> ModuleType:
    try:
        return importlib.import_module(name)
    except Exception as error:
        raise CourseError(
            path,
            f"the reference cannot be imported: {type(error).__name__}: {error}",
            "mend it; graders compare students' answers with it.",
        ) from error
