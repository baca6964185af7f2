"""An assignment's files as members of the two zips: what the grading machine needs, and what
students get. Caches, examples and links stay out."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator, Mapping
from pathlib import Path

from autograder.errors import CourseError
from autograder.gradescope.folders import COURSE
from autograder.gradescope.zips import Member
from autograder.handout import handout_files
from autograder.manifest import Assignment


def course_members(assignment: Assignment) -> dict[str, Member]:
    """The assignment's three folders as a course of their own, without the example submissions."""
    members = {}
    for folder in (assignment.handout, assignment.solutions, assignment.graders):
        kept = [path for path in _plain(folder) if assignment.examples not in path.parents]
        members.update(_named(f"{COURSE}/{folder.parent.name}/{folder.name}", folder, kept))
    shared = assignment.graders.parent
    members.update(_named(f"{COURSE}/{shared.name}", shared, shared.glob("conftest.py")))
    return members


def handout_members(assignment: Assignment) -> dict[str, Member]:
    """What students get, in one folder."""
    return _named(assignment.name, assignment.handout, _plain(assignment.handout))


def seed_of(members: Mapping[str, Member]) -> int:
    """The seed of a package's inputs: the same course, the same inputs; nobody without the graders
    can work it out."""
    digest = hashlib.sha256()
    for name in sorted(members):
        digest.update(f"{name}\0{len(members[name].data)}\0".encode() + members[name].data)
    return int.from_bytes(digest.digest()[:6], "big")


def _plain(folder: Path) -> Iterator[Path]:
    for path in handout_files(folder):
        if path.is_symlink():
            raise CourseError(
                path,
                "expected a file, got a link, which does not travel in a zip",
                "put a copy of the file in its place.",
                "Nothing was packaged.",
            )
        yield path


def _named(prefix: str, folder: Path, paths: Iterator[Path] | list[Path]) -> dict[str, Member]:
    try:
        return {
            f"{prefix}/{path.relative_to(folder).as_posix()}": Member(path.read_bytes())
            for path in paths
        }
    except OSError as error:
        raise CourseError(
            error.filename,
            f"cannot be read: {error.strerror}",
            "make it readable.",
            "Nothing was packaged.",
        ) from None
