"""Jobs side by side, such as submissions: each is done in a child of this process, whose only
product is bytes, sent through a pipe. Where a process cannot be forked safely they are done one by
one, in this process."""

from __future__ import annotations

import itertools
import os
import selectors
import signal
import time
import traceback
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field
from typing import Generic, TypeVar

from autograder.sandbox import LINUX, die_with_parent

Job = TypeVar("Job")
CHUNK = 1 << 20
RAISED = 1  # how a child ends that says what was raised


@dataclass(frozen=True)
class Produced(Generic[Job]):
    """What one job came to: its bytes, or why there are none."""

    job: Job
    data: bytes
    failure: str = ""
    lost: bool = False  # it was begun, and its process ended, or was ended, without a word


@dataclass
class _Child(Generic[Job]):
    job: Job
    pid: int
    ends: float
    received: bytearray = field(default_factory=bytearray)


def run_all(
    jobs: Iterable[Job], produce: Callable[[Job], bytes], *, workers: int, seconds: float
) -> Iterator[Produced[Job]]:
    """Do every job, at most `workers` at a time, and yield what each produced as it ends.

    Args:
        produce: done in the child; what it raises is that job's failure, nobody else's.
        seconds: after which a child is ended: our own code hangs.
    """
    if not LINUX:
        for job in jobs:
            yield _here(job, produce)
        return
    waiting = iter(jobs)
    running: dict[int, _Child[Job]] = {}
    selector = selectors.DefaultSelector()
    try:
        while True:
            begun = False
            for job in itertools.islice(waiting, workers - len(running)):
                begun = True
                try:
                    _start(job, produce, selector, running, seconds)
                except OSError as error:  # no process or descriptor left for it
                    yield Produced(job, b"", f"it could not be started: {error}")
            if running:
                yield from _collected(selector, running)
            elif not begun:
                return
    finally:
        for child in running.values():
            os.kill(child.pid, signal.SIGKILL)
            os.waitpid(child.pid, 0)
        for key in list(selector.get_map().values()):
            os.close(key.fd)
        selector.close()


def _here(job: Job, produce: Callable[[Job], bytes]) -> Produced[Job]:
    try:
        return Produced(job, produce(job))
    except Exception:
        return Produced(job, b"", traceback.format_exc())


def _start(
    job: Job,
    produce: Callable[[Job], bytes],
    selector: selectors.BaseSelector,
    running: dict[int, _Child[Job]],
    seconds: float,
) -> None:
    ours, theirs = os.pipe()
    parent = os.getpid()
    # Python's own hooks around a fork swallow a Ctrl-C; the child never needs one: we end it.
    mask = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    try:
        pid = os.fork()
        if pid == 0:
            _live(job, produce, theirs, parent)
        os.close(theirs)
        running[ours] = _Child(job, pid, time.monotonic() + seconds)
        selector.register(ours, selectors.EVENT_READ)
    except OSError:
        os.close(ours)
        os.close(theirs)
        raise
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, mask)


def _live(job: Job, produce: Callable[[Job], bytes], pipe: int, parent: int) -> None:
    """The child's whole life. Never returns, and never runs the parent's clean-up."""
    status = 0
    try:
        die_with_parent()
        if os.getppid() != parent:
            os._exit(0)  # it was killed before that
        produced = _here(job, produce)
        status = RAISED if produced.failure else 0
        view = memoryview(produced.data or produced.failure.encode("utf-8", "replace"))
        while view:
            view = view[os.write(pipe, view[:CHUNK]) :]
    except BaseException:
        status = 2
    finally:
        os._exit(status)


def _collected(
    selector: selectors.BaseSelector, running: dict[int, _Child[Job]]
) -> Iterator[Produced[Job]]:
    """Wait for something to happen; yield the jobs that ended."""
    soonest = min(child.ends for child in running.values())
    for key, _ in selector.select(max(0.0, soonest - time.monotonic())):
        data = os.read(key.fd, CHUNK)
        running[key.fd].received += data
        if not data:
            yield _ended(selector, key.fd, running.pop(key.fd))
    for fd, child in list(running.items()):
        if time.monotonic() > child.ends:
            os.kill(child.pid, signal.SIGKILL)
            yield _ended(selector, fd, running.pop(fd), "grading it took too long; it was ended")


def _ended(
    selector: selectors.BaseSelector, fd: int, child: _Child[Job], why: str = ""
) -> Produced[Job]:
    selector.unregister(fd)
    os.close(fd)
    status = os.waitstatus_to_exitcode(os.waitpid(child.pid, 0)[1])
    if status == 0 and not why:
        return Produced(child.job, bytes(child.received))
    text = child.received.decode("utf-8", "replace")
    failure = why or text or f"the grading process ended with {status}"
    return Produced(child.job, b"", failure, lost=bool(why) or status != RAISED)
