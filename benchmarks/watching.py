"""What a class's grading holds while it runs, looked at from outside; nothing is judged here."""

from __future__ import annotations

import contextlib
import os
import threading
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

from benchmarks.throughput import descendants

SAMPLE_SECONDS = 0.25
RUNNER, BASE = b"\0autograder\0grade\0", b"\0autograder.sandbox.base\0"


@dataclass(frozen=True)
class Sample:
    """One look at the command and its base process.

    Args:
        graded: results on disk.
        rss: of the command, in megabytes.
        descriptors: that the command has open.
        base_rss: of the base process.
        base_descriptors: that the base process has open.
        processes: all of them.
    """

    graded: int
    rss: float
    descriptors: int
    base_rss: float
    base_descriptors: int
    processes: int


class Watch:
    """Samples the one `autograder grade` below this process until it is left.

    Args:
        results: the folder in which results appear.
    """

    def __init__(self, results: Path) -> None:
        self.samples: list[Sample] = []
        self._results = results
        self._done = threading.Event()
        self._thread = threading.Thread(target=self._look, daemon=True)

    def __enter__(self) -> Watch:
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._done.set()
        self._thread.join()

    def _look(self) -> None:
        while not self._done.wait(SAMPLE_SECONDS):
            with contextlib.suppress(OSError, StopIteration):  # not yet there, or gone
                self.samples.append(self._sample())

    def _sample(self) -> Sample:
        commands = {pid: _command(pid) for pid in descendants(os.getpid())}
        runner = next(pid for pid, command in commands.items() if RUNNER in command)
        own = descendants(runner)
        base = next(pid for pid in own if BASE in commands.get(pid, b""))
        graded = sum(name.endswith(".json") for name in os.listdir(self._results))
        return Sample(
            graded, _rss(runner), _descriptors(runner), _rss(base), _descriptors(base), len(own)
        )


def growth(samples: Sequence[Sample], of: Callable[[Sample], float]) -> float:
    """How much more there is in the last quarter of the samples than in the second."""
    quarter = max(len(samples) // 4, 1)
    early, late = samples[quarter : 2 * quarter], samples[-quarter:]
    return max(map(of, late), default=0) - max(map(of, early), default=0)


def _command(pid: int) -> bytes:
    with contextlib.suppress(OSError):
        return Path(f"/proc/{pid}/cmdline").read_bytes()
    return b""


def _rss(pid: int) -> float:
    """Megabytes."""
    pages = int(Path(f"/proc/{pid}/statm").read_text().split()[1])
    return pages * os.sysconf("SC_PAGE_SIZE") / (1 << 20)


def _descriptors(pid: int) -> int:
    """How many; 0 where nobody but root may look."""
    with contextlib.suppress(PermissionError):
        return len(os.listdir(f"/proc/{pid}/fd"))
    return 0
