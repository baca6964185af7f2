"""Jobs in processes of their own: each gives its bytes or a reason, whatever happens to it."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from autograder import forks
from autograder.forks import run_all
from autograder.sandbox import LINUX

pytestmark = pytest.mark.skipif(not LINUX, reason="jobs are forked on Linux only")
JOBS = ["right", "large", "raises", "exits", "killed", "hangs", "interrupted", "last"]


def produce(job):
    if job == "large":
        return b"x" * 5_000_000
    if job == "raises":
        raise ValueError("its reason")
    if job == "exits":
        os._exit(3)
    if job == "killed":
        os.kill(os.getpid(), signal.SIGKILL)
    if job == "hangs":
        time.sleep(60)
    if job == "interrupted":
        raise KeyboardInterrupt
    return job.encode()


@pytest.mark.parametrize("workers", [1, 2, 20])
def test_every_job_ends_in_its_bytes_or_a_reason(workers):
    """A job that raises, dies or hangs costs no other job anything."""
    ended = {done.job: done for done in run_all(JOBS, produce, workers=workers, seconds=0.5)}

    assert sorted(ended) == sorted(JOBS)
    assert {job for job in JOBS if not ended[job].failure} == {"right", "large", "last"}
    assert (ended["right"].data, len(ended["large"].data)) == (b"right", 5_000_000)
    assert "ValueError: its reason" in ended["raises"].failure
    assert ended["exits"].failure == "the grading process ended with 3"
    assert ended["killed"].failure == "the grading process ended with -9"
    assert ended["hangs"].failure == "grading it took too long; it was ended"
    assert ended["interrupted"].failure == "the grading process ended with 2"


def test_a_job_that_raised_is_told_from_a_process_that_was_lost():
    """What our own code raises is a fault of ours; whoever counts deaths must not count it."""
    ended = list(run_all(JOBS, produce, workers=4, seconds=0.5))

    assert {done.job for done in ended if done.lost} == {"exits", "killed", "hangs", "interrupted"}


def test_jobs_run_side_by_side(tmp_path):
    """As many as there are workers, and never more."""

    def count_the_running(job):
        mine = tmp_path / str(job)
        mine.touch()
        time.sleep(0.3)
        running = len(list(tmp_path.iterdir()))
        mine.unlink()
        return str(running).encode()

    ended = [int(done.data) for done in run_all(range(9), count_the_running, workers=3, seconds=30)]

    assert len(ended) == 9
    assert max(ended) == 3


def test_who_stops_taking_leaves_no_process_behind(processes_of):
    """The jobs that still ran are ended and waited for."""
    before = processes_of(os.getpid()).keys()
    jobs = run_all(["right", "hangs", "hangs"], produce, workers=3, seconds=60)

    assert next(jobs).job == "right"
    during = processes_of(os.getpid()).keys()
    started = time.monotonic()
    jobs.close()

    assert len(during - before) == 2
    assert time.monotonic() - started < 5
    assert processes_of(os.getpid()).keys() == before


@pytest.fixture
def interrupt_at_fork():
    """Press Ctrl-C while Python's own hooks around the next fork run."""
    armed = [True]

    def press():
        if armed:
            armed.clear()
            signal.raise_signal(signal.SIGINT)

    os.register_at_fork(after_in_parent=press)
    yield
    armed.clear()


@pytest.mark.usefixtures("interrupt_at_fork")
def test_a_stop_is_never_swallowed(processes_of):
    """It comes at any moment, that of a fork included, and leaves no process behind."""
    before = processes_of(os.getpid()).keys()

    with pytest.raises(KeyboardInterrupt):
        list(run_all(["hangs"], produce, workers=1, seconds=2))

    assert processes_of(os.getpid()).keys() == before


def test_without_forks_the_jobs_are_done_here(monkeypatch):
    """One after the other, in order; what one raises is still its own."""
    monkeypatch.setattr(forks, "LINUX", False)
    seen = []

    ended = list(
        run_all(
            ["right", "raises"], lambda job: seen.append(job) or produce(job), workers=2, seconds=1
        )
    )

    assert seen == ["right", "raises"]
    assert ended[0].data == b"right"
    assert "its reason" in ended[1].failure


@pytest.mark.parametrize("free", [0, 1])
def test_a_machine_without_room_for_a_process_fails_that_job_alone(monkeypatch, free):
    """Every job ends in its bytes or in a reason, also when none can be started."""
    fork, started = os.fork, []

    def full():
        if len(started) >= free:
            raise BlockingIOError(11, "Resource temporarily unavailable")
        started.append(True)
        return fork()

    monkeypatch.setattr(os, "fork", full)
    before = set(os.listdir("/proc/self/fd"))

    ended = {done.job: done for done in run_all(["a", "b", "c"], produce, workers=2, seconds=5)}

    assert sorted(ended) == ["a", "b", "c"]
    assert [job for job, done in ended.items() if done.data] == ["a"] * free
    assert all("could not be started" in ended[job].failure for job in ("b", "c"))
    assert not any(done.lost for done in ended.values())
    assert set(os.listdir("/proc/self/fd")) == before


FOLLOWS_TOO_LATE = """
import os, sys, time
from autograder import forks

follow, parent = forks.die_with_parent, os.getpid()


def late():
    open("forked", "w").close()
    while os.getppid() == parent:
        time.sleep(0.01)
    follow()


forks.die_with_parent = late
list(forks.run_all(["job"], lambda job: open("done", "w").close(), workers=1, seconds=60))
"""


def test_a_child_does_nothing_for_a_parent_that_was_killed(tmp_path, processes_of, wait_for):
    """Also when that was before it could ask to be killed too: it would hold the folder's lock."""
    parent = subprocess.Popen([sys.executable, "-c", FOLLOWS_TOO_LATE], cwd=tmp_path)
    wait_for((tmp_path / "forked").exists)
    (child,) = processes_of(parent.pid)

    parent.kill()
    parent.wait()

    wait_for(lambda: not Path(f"/proc/{child}/cmdline").exists())
    assert not (tmp_path / "done").exists()
