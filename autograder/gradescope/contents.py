"""An assignment's files as members of the two zips: what the grading machine needs, and what
students get. Caches, examples and links stay out."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

from autograder.errors import CourseError
from autograder.gradescope.folders import COURSE
from autograder.gradescope.zips import Member
from autograder.handout import handout_files
from autograder.handout.folder import is_left_over
from autograder.manifest import Assignment
from autograder.verify.cache import content_key

SAMPLES = ("examples", "written_by_students")  # submissions kept for the course's own tests


@dataclass(frozen=True)
class Contents:
    """What lay there at one moment.

    Args:
        key: of all that a proof depends on, the framework too.
        course: `course_members` of the assignment.
        handout: `handout_members` of it.
    """

    key: str
    course: Mapping[str, Member]
    handout: Mapping[str, Member]


def read_contents(assignment: Assignment) -> Contents:
    """All that is packaged of a course, as it is now; raises `CourseError`."""
    course, handout = course_members(assignment), handout_members(assignment)
    return Contents(content_key(assignment), course, handout)


def require_unchanged(before: Contents, assignment: Assignment) -> None:
    """What was edited while it was proved is not proved; raises `CourseError`."""
    after = read_contents(assignment)
    if after == before:
        return
    names = [
        name.removeprefix(f"{COURSE}/")
        for name in sorted(before.course.keys() | after.course.keys())
        if before.course.get(name) != after.course.get(name)
    ]
    others = f", and {len(names) - 1} more" if len(names) > 1 else ""
    changed = f"{names[0]}{others}" if names else "the framework"
    raise CourseError(
        assignment.name,
        f"expected the files that were proved, got others: meanwhile {changed} changed",
        "let nobody edit the course for a minute, and type the same command again.",
        "Nothing was packaged.",
    )


def course_members(assignment: Assignment) -> dict[str, Member]:
    """The assignment's three folders as a course of their own, without the example submissions."""
    members = {}
    samples = {assignment.graders / name for name in SAMPLES}
    for folder in (assignment.handout, assignment.solutions, assignment.graders):
        written = [path for path in _written(folder) if samples.isdisjoint(path.parents)]
        members.update(_named(f"{COURSE}/{folder.parent.name}/{folder.name}", folder, written))
    shared = assignment.graders.parent
    members.update(_named(f"{COURSE}/{shared.name}", shared, shared.glob("conftest.py")))
    return members


def handout_members(assignment: Assignment) -> dict[str, Member]:
    """What students get, in one folder."""
    return _named(assignment.name, assignment.handout, _written(assignment.handout))


def seed_of(members: Mapping[str, Member]) -> int:
    """The seed of a package's inputs: the same course, the same inputs; nobody without the graders
    can work it out."""
    digest = hashlib.sha256()
    for name in sorted(members):
        digest.update(f"{name}\0{len(members[name].data)}\0".encode() + members[name].data)
    return int.from_bytes(digest.digest()[:6], "big")


def _written(folder: Path) -> Iterator[Path]:
    """What a person wrote there."""
    for path in handout_files(folder):
        if not is_left_over(path.relative_to(folder)):
            yield path


def _named(prefix: str, folder: Path, paths: Iterable[Path]) -> dict[str, Member]:
    """The files at `paths` by their names in the zip; raises `CourseError`."""
    return {f"{prefix}/{path.relative_to(folder).as_posix()}": _member(path) for path in paths}


def _member(path: Path) -> Member:
    if path.is_symlink():
        raise _does_not_travel(path, "a link", "put a copy of the file in its place.")
    if not path.is_file():
        raise _does_not_travel(path, "no plain file", "delete it.")
    if not _is_text(str(path)):
        raise _does_not_travel(path, "a name that is not UTF-8", "rename it.")
    try:
        return Member(path.read_bytes())
    except OSError as error:
        problem = f"cannot be read: {error.strerror or error}"
        raise CourseError(path, problem, "make it readable.", "Nothing was packaged.") from None


def _does_not_travel(path: Path, got: str, fix: str) -> CourseError:
    problem = f"expected a file that travels in a zip, got {got}"
    return CourseError(path, problem, fix, "Nothing was packaged.")


def _is_text(name: str) -> bool:
    try:
        name.encode()
    except UnicodeEncodeError:  # bytes of it could not be decoded
        return False
    return True
