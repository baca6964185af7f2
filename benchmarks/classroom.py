"""A class graded by the real command, and what its output folder holds then. Disturbs nothing
itself, and judges nothing."""

from __future__ import annotations

import contextlib
import os
import re
import subprocess
import sys
import threading
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path

import msgspec

from autograder.results import Result, decode_result, encode_result
from autograder.sandbox import die_with_parent
from benchmarks.throughput import WAITING, descendants

SEED, JOBS = 7, 2
# Examples whose results differ from run to run: they wait for a limit, or print their own pid.
NEVER_THE_SAME = f"{WAITING}|searches"
CHANGES_EVERY_RUN = re.compile(r'"seconds": [^,\n]*|[\d.]+ s of CPU, \d+ MB')
POLL_SECONDS = 0.005
END_SECONDS = 20.0  # for processes that are to end by themselves


@dataclass(frozen=True)
class Held:
    """What an output folder holds.

    Args:
        results: by submission, all of each result but times.
        scores: by submission; None: it has none yet.
        stamps: by submission, when and where its result was written.
        pages: feedback, by submission.
        litter: files that are half-written.
    """

    results: dict[str, str]
    scores: dict[str, float | None]
    stamps: dict[str, tuple[int, int]]
    pages: dict[str, str]
    grades: bytes
    litter: list[str]


def look(out: Path) -> Held:
    """What is in an output folder now."""
    found: dict[str, Result] = {}
    litter = [path.name for path in out.rglob(".*.tmp")]
    for path in sorted((out / "results").glob("*.json")):
        try:
            found[path.stem] = decode_result(path.read_bytes())
        except msgspec.MsgspecError:
            litter.append(path.name)
    stats = {name: (out / "results" / f"{name}.json").stat() for name in found}
    pages = sorted((out / "feedback").glob("*.md"))
    grades = out / "grades.csv"
    return Held(
        {name: stable(encode_result(result).decode()) for name, result in found.items()},
        {name: result.score for name, result in found.items()},
        {name: (stat.st_ino, stat.st_mtime_ns) for name, stat in stats.items()},
        {path.stem: path.read_text(encoding="utf-8") for path in pages},
        grades.read_bytes() if grades.exists() else b"",
        litter,
    )


def stable(text: str) -> str:
    """A result without what is another in every run."""
    return CHANGES_EVERY_RUN.sub("", text)


@dataclass(frozen=True)
class Ended:
    """How a command ended: minus the signal for a killed one; and which processes outlived it."""

    status: int
    said: str
    left: list[int]


@dataclass
class Running:
    """The command while it grades."""

    process: subprocess.Popen[str]
    out: Path
    began: float = field(default_factory=time.monotonic)
    known: list[int] = field(default_factory=list)
    said: list[str] = field(default_factory=list)

    def __post_init__(self) -> None:
        """Take what it says: a pipe that nobody empties would stop it."""
        stream = self.process.stdout
        assert stream is not None
        self._taking = threading.Thread(target=lambda: self.said.extend(stream), daemon=True)
        self._taking.start()

    @property
    def results(self) -> int:
        """How many there are already."""
        with contextlib.suppress(FileNotFoundError):
            return sum(name.endswith(".json") for name in os.listdir(self.out / "results"))
        return 0

    def reach(self, condition: Callable[[], object]) -> bool:
        """Wait for something to happen; False where the command has ended before."""
        while self.process.poll() is None:
            if condition():
                self.known = descendants(self.process.pid)
                return self.process.poll() is None
            time.sleep(POLL_SECONDS)
        return False

    def children(self, *, base: bool) -> list[int]:
        """The processes that grade, or the one that workers come from."""
        found = []
        for pid in descendants(self.process.pid)[1:]:
            with contextlib.suppress(OSError):
                parent = int(_stat(pid)[1])
                command = Path(f"/proc/{pid}/cmdline").read_bytes()
                is_base = b"autograder.sandbox.base" in command
                if parent == self.process.pid and is_base == base:
                    found.append(pid)
        return found

    def end(self) -> Ended:
        """Wait for its end, and for that of all who were seen at the moment that was reached."""
        status = self.process.wait()
        self._taking.join(END_SECONDS)  # whoever outlives it may hold the other end
        end = time.monotonic() + END_SECONDS
        left = self.known
        while left and time.monotonic() < end:
            left = [pid for pid in left if _is_alive(pid)]
            time.sleep(POLL_SECONDS)
        return Ended(status, "".join(self.said), left)


def _stat(pid: int) -> list[str]:
    """State, parent and so on."""
    return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()


def _is_alive(pid: int) -> bool:
    with contextlib.suppress(OSError):
        return _stat(pid)[0] != "Z"
    return False


@dataclass(frozen=True)
class Undisturbed:
    """What comes of a class that nothing disturbs.

    Args:
        first: seconds to the first result.
        each: seconds from one result to the next.
    """

    held: Held
    first: float
    each: float


@dataclass(frozen=True)
class Classroom:
    """A class, and the command that grades it.

    Args:
        folder: an empty folder of ours.
    """

    course: Path
    assignment: str
    submissions: Path
    folder: Path

    def start(self, out: Path) -> Running:
        """Begin to grade into `out`."""
        command = [sys.executable, "-m", "autograder", "grade", self.assignment]
        command += [str(self.submissions), "--course", str(self.course), "--out", str(out)]
        command += ["--jobs", str(JOBS), "--seed", str(SEED), "--allow-weak-isolation"]
        process = subprocess.Popen(
            command,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            start_new_session=True,
            preexec_fn=die_with_parent,
        )
        return Running(process, out)

    @cached_property
    def names(self) -> list[str]:
        """The submissions."""
        return sorted(path.name for path in self.submissions.iterdir())

    @cached_property
    def undisturbed(self) -> Undisturbed:
        """What comes of it when nothing disturbs it."""
        running = self.start(self.undisturbed_folder)
        running.reach(lambda: running.results)
        first = time.monotonic() - running.began
        ended = running.end()
        if ended.status:
            raise RuntimeError(f"the undisturbed run ended with {ended.status}:\n{ended.said}")
        each = (time.monotonic() - running.began - first) / len(self.names)
        return Undisturbed(look(self.undisturbed_folder), first, each)

    @property
    def undisturbed_folder(self) -> Path:
        """Where it is; to be copied, not to be changed."""
        return self.folder / "undisturbed"
