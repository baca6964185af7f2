"""Where a course keeps things: the folder that holds assignments/, solutions/ and tests/."""

from __future__ import annotations

import functools
from dataclasses import dataclass
from pathlib import Path

from autograder.errors import CourseError, UsageError
from autograder.manifest.parse import parse_manifest
from autograder.manifest.schema import Manifest

FOLDERS = ("assignments", "solutions", "tests")
MANIFEST = "assignment.toml"


@dataclass(frozen=True)
class Assignment:
    """One assignment and its three folders."""

    manifest: Manifest
    handout: Path  # assignments/<name>: what a student gets; public checks
    solutions: Path  # solutions/<name>: the references
    graders: Path  # tests/<name>: hidden graders, examples

    @property
    def name(self) -> str:
        """The assignment's name, which is also its folders' name."""
        return self.manifest.name

    @functools.cached_property
    def given(self) -> dict[str, str]:
        """The files that are given to students, by module name.

        Raises:
            CourseError: one of them is missing, or cannot be read.
        """
        found = {}
        for one in self.manifest.given:
            path = self.handout / one.file
            try:
                found[one.module] = path.read_text(encoding="utf-8")
            except (OSError, UnicodeDecodeError) as error:
                fix = "write it, or correct `given` in assignment.toml."
                raise CourseError(path, f"cannot be read: {error}", fix) from None
        return found

    @property
    def examples(self) -> Path:
        """The bundled submissions, with their expected grades."""
        return self.graders / "examples"


@dataclass(frozen=True)
class Course:
    """The folder that holds a course's content."""

    root: Path

    def names(self) -> list[str]:
        """Every assignment's name, sorted."""
        return sorted(path.parent.name for path in self.root.glob(f"assignments/*/{MANIFEST}"))

    def assignment(self, name: str) -> Assignment:
        """Read one assignment.

        Raises:
            UsageError: there is none of that name.
            CourseError: its manifest is wrong, or cannot be read.
        """
        path = self.root / "assignments" / name / MANIFEST
        if name not in self.names():
            raise UsageError(
                path,
                f"there is no assignment {name!r}",
                f"choose one of: {', '.join(self.names()) or '(this course has none)'}.",
            )
        try:
            text = path.read_text(encoding="utf-8-sig")  # an editor may have put a mark before it
        except (OSError, UnicodeDecodeError) as error:
            raise CourseError(path, f"cannot be read: {error}", "save it as UTF-8 text.") from None
        manifest = parse_manifest(text, path)
        if manifest.name != name:
            raise CourseError(
                path,
                f"expected the folder's name {name!r}, got {manifest.name!r} - at `name`",
                f'write `name = "{name}"`, or rename the folders.',
            )
        return Assignment(
            manifest, path.parent, self.root / "solutions" / name, self.root / "tests" / name
        )


def find_course(start: Path, explicit: Path | None = None) -> Course:
    """The course at `explicit`, else the nearest folder at or above `start` that has all three.

    Raises:
        UsageError: there is none.
    """
    candidates = [explicit] if explicit else [start, *start.parents]
    for folder in candidates:
        if all((folder / name).is_dir() for name in FOLDERS):
            return Course(folder.resolve())
    raise UsageError(
        explicit or start,
        f"no course here: expected a folder that holds {', '.join(FOLDERS)}",
        "go into the course's folder, or name it with --course DIR.",
    )
