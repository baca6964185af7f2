"""The output folder of one class: its lock, its seed, its results; closed to everyone else."""

from __future__ import annotations

import fcntl
import os
import secrets
from collections.abc import Collection, Iterator, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import overload

import msgspec

from autograder.batch.written import Written
from autograder.errors import CourseError, UsageError
from autograder.files import write_atomically
from autograder.results import Result, decode_result, encode_result, read_result

RUN_FILE, LOCK, WRITTEN = "run.json", ".lock", ".written"
OURS = frozenset({"results", "feedback", "grades.csv"})


class RunFile(msgspec.Struct, frozen=True):
    """run.json: what a whole folder of results has in common."""

    assignment: str
    seed: int


class OutputFolder:
    """`DIR/results/*.json`, `DIR/feedback/*.md`, `DIR/grades.csv`, `DIR/run.json`.

    `changed` names the submissions whose results were found, and were not as they were written.
    """

    def __init__(self, root: Path) -> None:
        self.root = root
        self.grades = root / "grades.csv"
        self.changed: list[str] = []
        self._written = Written(root / WRITTEN)

    def feedback(self, submission: str) -> Path:
        """Where a submission's feedback goes."""
        return self.root / "feedback" / f"{submission}.md"

    def result(self, submission: str) -> Path:
        """Where a submission's result goes."""
        return self.root / "results" / f"{submission}.json"

    @contextmanager
    def locked(self) -> Iterator[None]:
        """Make the folder, close it to other users, and keep every other run out of it meanwhile.

        Raises:
            UsageError: another run is in it, or it holds other things than an earlier run's.
            CourseError: it cannot be made or written.
        """
        lock = self._open()
        try:
            self._claim(lock)
            self._remove_half_written()
            self._written.tidy()
            yield
        finally:
            os.close(lock)

    def _open(self) -> int:
        try:
            self.root.mkdir(parents=True, exist_ok=True, mode=0o700)
            names = {name for name in os.listdir(self.root) if not name.startswith(".")}
            foreign = sorted(names - OURS)
            if foreign and RUN_FILE not in names:
                raise UsageError(
                    self.root,
                    f"expected a new folder or one of an earlier run, got one with {foreign[0]!r}",
                    "choose another with --out DIR.",
                )
            self.root.chmod(0o700)
            return os.open(self.root / LOCK, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)
        except OSError as error:
            raise CourseError(
                self.root,
                f"the output folder cannot be written: {error.strerror}",
                "choose another with --out DIR.",
            ) from None

    def _claim(self, lock: int) -> None:
        try:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            raise UsageError(
                self.root,
                "another run is writing to this folder",
                "wait for it, or choose another folder with --out DIR.",
            ) from None
        except OSError as error:
            raise CourseError(
                self.root,
                f"this file system gives no locks: {error.strerror}",
                "choose a folder on a disk of this machine with --out DIR.",
            ) from None

    def _remove_half_written(self) -> None:
        """A run that was killed while it wrote has left a temporary file; no other run is here."""
        for folder in (self.root, self.root / "results", self.root / "feedback"):
            for path in folder.glob(".*.tmp"):
                with suppress(OSError):
                    path.unlink()

    def seed(self, assignment: str, *, chosen: int | None, fresh: bool) -> int:
        """The seed of this folder's inputs: as chosen, as kept, else drawn and kept.

        Raises:
            UsageError: the folder belongs to another assignment.
            CourseError: run.json is no run file.
        """
        path = self.root / RUN_FILE
        kept = _read_run_file(path)
        if kept is not None and kept.assignment != assignment:
            raise UsageError(
                self.root,
                f"this folder holds the grades of {kept.assignment!r}, not of {assignment!r}",
                "choose another with --out DIR.",
            )
        if chosen is None and kept is not None and not fresh:
            return kept.seed
        seed = secrets.randbits(48) if chosen is None else chosen
        run_file = msgspec.json.encode(RunFile(assignment, seed))
        write_atomically(path, msgspec.json.format(run_file, indent=2))
        return seed

    def finished(self, submission: str, key: str) -> Result | None:
        """The result that is there already: as it was written, with this key and a score."""
        try:
            data = self.result(submission).read_bytes()
        except OSError:
            return None
        as_written = self._written.holds(_line(submission), data)
        if not as_written:
            self.changed += [submission] if as_written is False else []
            return None
        try:
            result = decode_result(data)
        except msgspec.MsgspecError:
            return None  # an older framework's
        return result if result.key == key and result.score is not None else None

    def others(self, submissions: Collection[str]) -> int:
        """How many results there are of submissions that are none of these."""
        names = {path.stem for path in (self.root / "results").glob("*.json")}
        return len(names.difference(submissions))

    def keep(self, result: Result) -> None:
        """Write one result atomically."""
        data = encode_result(result)
        write_atomically(self.result(result.submission), data)
        self._written.add(_line(result.submission), data)

    def kept(self, submissions: Sequence[str]) -> Sequence[Result]:
        """The results of these, in this order."""
        return _Kept([self.result(submission) for submission in submissions])


class _Kept(Sequence[Result]):
    """Results on disk. Each is read when it is asked for: those of ten thousand submissions are
    not held in memory."""

    def __init__(self, paths: list[Path]) -> None:
        self._paths = paths

    def __len__(self) -> int:
        return len(self._paths)

    @overload
    def __getitem__(self, index: int) -> Result: ...
    @overload
    def __getitem__(self, index: slice) -> Sequence[Result]: ...
    def __getitem__(self, index: int | slice) -> Result | Sequence[Result]:
        """Raises `CourseError` where somebody else has removed or changed it meanwhile."""
        if isinstance(index, slice):
            return _Kept(self._paths[index])
        return read_result(self._paths[index])


def _line(submission: str) -> str:
    """What stands for its result in the list of what was written."""
    return f"results/{submission}.json"


def _read_run_file(path: Path) -> RunFile | None:
    try:
        return msgspec.json.decode(path.read_bytes(), type=RunFile)
    except FileNotFoundError:
        return None
    except (OSError, msgspec.MsgspecError, RecursionError) as error:
        raise CourseError(
            path,
            f"expected a run file, got: {error}",
            "delete it, and a new seed is drawn (every submission is then graded again).",
        ) from None
