"""What one worker does to the machine is not felt by another, nor read by it."""

from __future__ import annotations

import os
import platform
from pathlib import Path

import pytest

from autograder.sandbox import LINUX

pytestmark = pytest.mark.skipif(not LINUX, reason="these ways exist on Linux only")
LIBRARY = os.path.realpath(os.__file__)
WAYS = f"""
import fcntl, os, resource, struct, sys, threading

def opened():
    for folder in sys.path:  # the library, by whichever name it is reached
        try:
            return os.open(folder + "/os.py", os.O_RDONLY)
        except OSError:
            pass
    return os.open({LIBRARY!r}, os.O_RDONLY)

def tried(way):
    try:
        way(opened())
    except OSError as error:
        return error.strerror
    return "done"

def lock():
    return tried(lambda fd: fcntl.lockf(fd, fcntl.LOCK_SH | fcntl.LOCK_NB, 1, 7))
def look_for_locks():
    ask = struct.pack("hhqqi", fcntl.F_WRLCK, 0, 0, 0, 0)
    return tried(lambda fd: fcntl.fcntl(fd, fcntl.F_GETLK, ask))
def lock_all():
    return tried(lambda fd: fcntl.flock(fd, fcntl.LOCK_SH))
def lease():
    return tried(lambda fd: fcntl.fcntl(fd, fcntl.F_SETLEASE, fcntl.F_RDLCK))
def drop_from_cache():
    return tried(lambda fd: os.posix_fadvise(fd, 0, 0, os.POSIX_FADV_DONTNEED))
def look_into_cache():
    return tried(lambda fd: os.preadv(fd, [bytearray(1)], 0, os.RWF_NOWAIT))

def cores():
    return len(os.sched_getaffinity(0))
def tasks():
    return resource.getrlimit(resource.RLIMIT_NPROC)[0]
def pid():
    return os.getpid()
"""
NOTES = ["lock", "look_for_locks", "lock_all", "lease", "drop_from_cache", "look_into_cache"]


@pytest.mark.parametrize("way", NOTES)
def test_no_lock_lease_or_advice_can_be_left_on_a_library_file(sandbox, student, way):
    """They carry bits from worker to worker, or hold its opens up."""
    assert student(sandbox, WAYS)(way) == "Operation not permitted"


WAITING = """
import ctypes, mmap

def attack(number):
    libc.mmap.restype = ctypes.c_void_p
    libc.mmap.argtypes = [ctypes.c_void_p, ctypes.c_size_t, *[ctypes.c_int] * 3, ctypes.c_long]
    page = libc.mmap(None, 4096, mmap.PROT_READ, mmap.MAP_SHARED, opened(), 0)
    for wake in (1, 3, 4, 5, 7, 10, 12):
        for clock in (0, 256):
            tried("woke", call, number, page, wake | clock, 1, 0, page, -1)
    for young in (449, 454, 455, 456):
        tried("young", call, young, page, 0, 0, 0, 0)
    return ALLOWED
"""


def test_no_worker_wakes_another(forking, student, trying):
    """Waiting on a page that both can read would carry bits between them as fast as they like."""
    number = {"x86_64": 202, "aarch64": 98}[platform.machine()]

    assert student(forking, WAYS + trying + WAITING)("attack", number) == []


def test_threads_wait_for_each_other_as_ever(sandbox, student):
    """Locks, conditions and the ends of threads need no shared page."""
    source = """
import threading

def together():
    met, done = threading.Barrier(4), []
    def work():
        met.wait()
        done.append(1)
    threads = [threading.Thread(target=work) for _ in range(4)]
    for one in threads:
        one.start()
    for one in threads:
        one.join()
    return len(done)
"""
    assert student(sandbox, source)("together") == 4


def test_a_worker_has_one_core(forking, student):
    """However many threads it starts, they share the time of one."""
    assert student(forking, WAYS)("cores") == 1


def test_two_workers_have_two_cores_where_there_are_two(forking, student):
    """The quieter core is the next worker's."""
    cores = os.sched_getaffinity(0)
    workers = [student(forking, WAYS) for _ in range(2)]

    used = {frozenset(os.sched_getaffinity(worker("pid"))) for worker in workers}

    assert len(used) == min(2, len(cores))


def test_the_number_of_threads_is_bounded(sandbox, student):
    """For any user: the machine's tasks are not one worker's to use up."""
    with Path("/proc/sys/kernel/threads-max").open(encoding="ascii") as file:
        most = int(file.read())

    assert 32 <= student(sandbox, WAYS)("tasks") < most / 2


def test_memory_that_runs_out_ends_a_worker_first(sandbox, student):
    """The kernel is told to spare the grading process, and the base process before its workers
    where it may be told so for each."""
    worker = student(sandbox, WAYS)("pid")
    base = int(Path(f"/proc/{worker}/stat").read_text().rpartition(")")[2].split()[1])

    ours, bases, theirs = (
        int(Path(f"/proc/{pid}/oom_score_adj").read_text()) for pid in ("self", base, worker)
    )

    assert ours < theirs == 1000 or ours < theirs == bases
    if base != os.getpid() and os.geteuid() == 0:
        assert ours < bases < theirs
