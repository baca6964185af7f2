"""One container, run and watched from the host: its output, memory, and end."""

from __future__ import annotations

import contextlib
import json
import os
import signal
import socket
import subprocess
import sys
import time
import uuid
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path

FIRST_PROCESS = Path(__file__).with_name("first_process.py")
CGROUPS = Path("/sys/fs/cgroup")
LOOK_EVERY = 0.05  # seconds, between two looks at a container's memory


class ContainerError(RuntimeError):
    """The simulation could not do what was asked; nothing of the container's own went wrong."""


class NoMemoryLimit(ContainerError):
    """This machine cannot limit the memory of a container."""


@dataclass(frozen=True)
class Ended:
    """What a container left."""

    status: int  # 128 and the signal for a killed one
    output: str  # stdout and stderr together
    seconds: float
    peak_pss_mb: float  # as often as it was looked at: a peak between two looks is not seen
    timed_out: bool
    killed: bool  # because it was asked for


def run(
    order: dict[str, object],
    *,
    seconds: float,
    memory_mb: int | None = None,
    kill_when: Callable[[], bool] = lambda: False,
) -> Ended:
    """Run the container of `order` (see first_process.Order) to its end, and all that is in it.

    Args:
        order: without `cgroup`, which is decided here.
        seconds: after so many everything in it is killed.
        memory_mb: a limit for everything in it; NoMemoryLimit where this machine sets none.
        kill_when: asked again and again; a yes kills everything in it.
    """
    with contextlib.ExitStack() as at_the_end:  # the last one entered is left first
        cgroup = at_the_end.enter_context(memory_limit(memory_mb))
        here, there = socket.socketpair()
        process = at_the_end.enter_context(_start(there))
        at_the_end.enter_context(here)  # where it is closed, what waits for an answer ends
        here.sendall(json.dumps({**order, "cgroup": cgroup}).encode() + b"\n")
        with here.makefile("r") as report:
            first, ready = report.readline(), report.readline()
        if not ready:
            raise ContainerError(f"no container:\n{_text(process.communicate()[0])}")
        watched = at_the_end.enter_context(_Watched(int(first)))
        here.sendall(b"!")
        return watched.until_the_end(process, seconds, kill_when)


def _start(report: socket.socket) -> subprocess.Popen[bytes]:
    """Start first_process.py, which takes its order from that socket."""
    with report:
        return subprocess.Popen(
            [sys.executable, "-E", "-s", "-B", FIRST_PROCESS, str(report.fileno())],
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            pass_fds=[report.fileno()],
        )


class _Watched:
    """The processes of one container, by the host's numbers; leaving kills them all."""

    def __init__(self, first: int) -> None:
        self._first = first
        self._handle = os.pidfd_open(first)
        self._namespace = os.readlink(f"/proc/{first}/ns/pid")

    def __enter__(self) -> _Watched:
        return self

    def __exit__(self, *_: object) -> None:
        self._kill()
        os.close(self._handle)

    def until_the_end(
        self, process: subprocess.Popen[bytes], seconds: float, kill_when: Callable[[], bool]
    ) -> Ended:
        """Wait, look, and kill where there is a reason; `process` ends when nobody is left."""
        begun = time.monotonic()
        peak, timed_out, killed = 0.0, False, False
        while True:
            try:
                output, _ = process.communicate(timeout=LOOK_EVERY)
            except subprocess.TimeoutExpired:
                peak = max(peak, self._pss_mb())
                passed = time.monotonic() - begun
                if not (timed_out or killed):
                    timed_out = passed > seconds
                    killed = not timed_out and kill_when()
                if timed_out or killed:
                    self._kill()
            else:
                passed = time.monotonic() - begun
                return Ended(process.returncode, _text(output), passed, peak, timed_out, killed)

    def _kill(self) -> None:
        """Kill the first process; the kernel kills the others before that one is gone."""
        with contextlib.suppress(ProcessLookupError):
            signal.pidfd_send_signal(self._handle, signal.SIGKILL)

    def _pss_mb(self) -> float:
        """Of everything in it but the first process, which is ours.

        A page that several containers share is counted in parts: run one at a time to measure.
        """
        total = 0
        for folder in Path("/proc").glob("[0-9]*"):
            with contextlib.suppress(OSError):  # it has ended since
                if os.readlink(folder / "ns/pid") != self._namespace:
                    continue
                if int(folder.name) != self._first:
                    rolled_up = (folder / "smaps_rollup").read_text()
                    total += int(rolled_up.partition("\nPss:")[2].split()[0])
        return total / 1024


@contextlib.contextmanager
def memory_limit(megabytes: int | None) -> Iterator[str | None]:
    """A new cgroup that may not hold more; its cgroup.procs, or None where there is no limit."""
    if megabytes is None:
        yield None
        return
    parent, limits = _memory_files()
    group = parent / f"simulated-{uuid.uuid4().hex}"
    group.mkdir()
    try:
        for name, swap_too in limits.items():
            if (group / name).exists():
                (group / name).write_text(str(megabytes << 20 if swap_too else 0))
        yield str(group / "cgroup.procs")
    finally:
        group.rmdir()


def _memory_files() -> tuple[Path, dict[str, bool]]:
    """Where cgroups for memory are made here; its files: whether they take the limit, or zero."""
    if (CGROUPS / "memory/memory.limit_in_bytes").exists():
        files = {"memory.limit_in_bytes": True, "memory.memsw.limit_in_bytes": True}
        return CGROUPS / "memory", files
    enabled = CGROUPS / "cgroup.subtree_control"
    if enabled.exists() and "memory" in enabled.read_text().split():
        return CGROUPS, {"memory.max": True, "memory.swap.max": False}
    raise NoMemoryLimit("this machine gives no cgroup for memory: run it without a limit")


def _text(output: bytes) -> str:
    return output.decode("utf-8", "replace")
