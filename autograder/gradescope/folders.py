"""Where things lie: in the zip that is uploaded, and on the machine that grades."""

from __future__ import annotations

import shutil
from dataclasses import dataclass
from pathlib import Path
from typing import Any, TypeVar

import msgspec

from autograder.errors import CourseError
from autograder.manifest import Assignment, Course

COURSE, ABOUT, NOT_GRADED, RUN = "course", "package.json", "not_graded.json", "run_otter.py"
REQUIREMENTS, WHEELS = "requirements.txt", "wheels"
OTTER_CONFIG, OTTER_TESTS, OTTER_FILES = "otter_config.json", "tests", "files"
NOTEBOOK = "attention_autograder.ipynb"
RESULTS, METADATA = "results.json", "submission_metadata.json"
PLUGIN = "autograder.gradescope.plugin.Verdicts"

T = TypeVar("T")


class About(msgspec.Struct, frozen=True, kw_only=True):
    """package.json: what was decided when the zip was made."""

    assignment: str
    seed: int
    framework: str  # its version
    unproved: str = ""  # why it was packaged although the graders are not proved
    allow_weak: bool = False


@dataclass(frozen=True)
class Package:
    """The unpacked zip (`source/` on Gradescope)."""

    root: Path

    @property
    def about(self) -> About:
        """What package.json says; raises `CourseError`."""
        return _read(self.root / ABOUT, About)

    @property
    def assignment(self) -> Assignment:
        """The packaged assignment; raises `CourseError`."""
        return Course((self.root / COURSE).resolve()).assignment(self.about.assignment)

    @property
    def not_graded(self) -> bytes:
        """The results.json that stands until there is a better one; raises `CourseError`."""
        path = self.root / NOT_GRADED
        try:
            return path.read_bytes()
        except OSError as error:
            raise _damaged(path, error) from None

    @property
    def otter_config(self) -> dict[str, Any]:
        """otter-grader's configuration, the course's own keys among it; raises `CourseError`."""
        return _read(self.root / OTTER_CONFIG, dict[str, Any])


@dataclass(frozen=True)
class Grounds:
    """The folder that one submission is graded in (`/autograder` on Gradescope; a temporary one of
    `otter run`)."""

    root: Path

    @property
    def package(self) -> Package:
        """The unpacked zip."""
        return Package(self.root / "source")

    @property
    def submission(self) -> Path:
        """What the student handed in."""
        return self.root / "submission"

    @property
    def metadata(self) -> bytes:
        """submission_metadata.json; empty where there is none."""
        try:
            return (self.root / METADATA).read_bytes()
        except OSError:
            return b""

    @property
    def report(self) -> Path:
        """What Gradescope reads."""
        return self.root / "results" / RESULTS

    @property
    def graded(self) -> Path:
        """Our own result, for staff: a folder of results, as `autograder grade` writes it."""
        return self.root / "graded"

    def close(self) -> None:
        """Let no other user in: student code runs as one."""
        self.root.chmod(0o700)

    def beside(self, name: str) -> Grounds:
        """Fresh grounds in these, with the same package and metadata and an empty submission."""
        other = Grounds(self.root / name)
        if other.root.is_symlink() or other.root.is_file():
            other.root.unlink()
        elif other.root.exists():
            shutil.rmtree(other.root)
        for path in (other.submission, other.report.parent):
            path.mkdir(parents=True, mode=0o700)
        other.package.root.symlink_to(self.package.root.resolve())
        (other.root / METADATA).write_bytes(self.metadata or b"{}")
        return other


def _read(path: Path, type_: type[T]) -> T:
    try:
        return msgspec.json.decode(path.read_bytes(), type=type_)
    except (OSError, msgspec.MsgspecError, RecursionError) as error:
        raise _damaged(path, error) from None


def _damaged(path: Path, error: Exception) -> CourseError:
    return CourseError(
        path,
        f"expected a file that `autograder package` wrote, got: {error}",
        "package the assignment again, and upload the new zip.",
    )
