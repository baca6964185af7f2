"""Which tests are an assignment's checks: hidden graders in tests/<name>, public checks in
assignments/<name>, without the handout's conftest.py; nothing is run here."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from pathlib import Path

import pytest

from autograder.errors import CourseError
from autograder.grading.check import (
    CHECK,
    Check,
    GraderMistake,
    clashes,
    forget_files,
    overwritten,
    read_check,
    unworded_asserts,
)
from autograder.manifest import Assignment, Course
from autograder.manifest.course import FOLDERS

CHECK_FILES = "test_*.py"


def assignment_at(folder: Path) -> Assignment | None:
    """The assignment whose hidden graders lie in `folder`, if any; raises `CourseError`."""
    course = _course_of(folder)
    return None if course is None else course.assignment(folder.name)


def _course_of(folder: Path) -> Course | None:
    """The course in which `folder` holds the hidden graders of an assignment, if it does."""
    root = folder.parent.parent
    if folder.parent.name != FOLDERS[-1] or not all((root / name).is_dir() for name in FOLDERS):
        return None
    course = Course(root)
    return course if folder.name in course.names() else None


class GraderFolder(pytest.Directory):
    """tests/<name>: its graders, and the assignment's public checks beside them.

    The public files are collected alone: a conftest.py of the handout's would replace the plugin's
    `student` by one that imports the step files.
    """

    assignment: Assignment

    @classmethod
    def of(cls, parent: pytest.Collector, path: Path, assignment: Assignment) -> GraderFolder:
        """The collector of one assignment."""
        folder = cls.from_parent(parent, path=path)
        folder.assignment = assignment
        # A test's folder must not become importable: the handout's holds files of the steps' names.
        folder.config.option.importmode = "importlib"
        return folder

    def collect(self) -> Iterable[pytest.Item | pytest.Collector]:
        """The hidden graders, then the public checks."""
        for folder in (self.path, self.assignment.handout):
            for path in sorted(folder.glob(CHECK_FILES)):
                yield pytest.Module.from_parent(self, path=path)


def is_example(path: Path) -> bool:
    """Whether `path` lies among an assignment's example submissions, which are never collected."""
    return any(
        folder.name == "examples" and _course_of(folder.parent) is not None
        for folder in (path, *path.parents)
    )


def checks_of(items: list[pytest.Item]) -> list[tuple[pytest.Function, Check]]:
    """Read every assignment check among `items`, and mark the item with it.

    Raises:
        CourseError: naming each mistake in a grader file with its line and fix.
    """
    forget_files()
    found: list[tuple[pytest.Function, Check]] = []
    mistakes: list[GraderMistake] = []
    files: dict[Path, bool] = {}  # and whether it is hidden
    for item in items:
        folder = item.getparent(GraderFolder)
        if folder is None or not isinstance(item, pytest.Function):
            continue
        files[item.path] = not item.path.is_relative_to(folder.assignment.handout)
        check = read_check(item, folder.assignment)
        if isinstance(check, GraderMistake):
            mistakes.append(check)
        else:
            item.stash[CHECK] = check
            found.append((item, check))
    mistakes.extend(clashes(found))
    for path, hidden in files.items():
        mistakes.extend(overwritten(path))
        mistakes.extend(unworded_asserts(path) if hidden else ())
    if mistakes:
        raise CourseError(
            "the graders",
            "\n" + "\n".join(str(mistake) for mistake in dict.fromkeys(mistakes)),
            "mend the lines named above.",
        )
    return found


def in_question_order(items: list[pytest.Item]) -> list[pytest.Item]:
    """Each assignment's public checks, then its hidden ones, by question.

    So one worker serves a question's public checks, and one its hidden ones; and what a student
    may read word for word is all said before any worker of the submission saw a hidden input.
    """
    return sorted(items, key=_place)


def _place(item: pytest.Item) -> tuple[str, bool, int]:
    folder, check = item.getparent(GraderFolder), item.stash.get(CHECK, None)
    if folder is None or check is None:
        return ("", False, 0)
    names = [question.name for question in folder.assignment.manifest.questions]
    return (check.assignment, check.hidden, names.index(check.question))


def enabled(items: list[tuple[pytest.Function, Check]]) -> Iterator[pytest.Function]:
    """The checks of questions that are graded."""
    for item, check in items:
        folder = item.getparent(GraderFolder)
        assert folder is not None
        questions = folder.assignment.manifest.enabled_questions
        if check.question in [question.name for question in questions]:
            yield item


def explain_collection_error(text: str) -> str:
    """The last lines of pytest's report of a grader that cannot be imported: file, line, error."""
    lines = [line for line in text.splitlines() if line.strip() and "/_pytest/" not in line]
    kept = [line for line in lines if re.match(r"E\s|.*\.py:\d+: ", line)] or lines
    return "\n".join(kept[-12:])
