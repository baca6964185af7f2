"""Who ends whom: no worker outlives its owner, its base process or its sandbox."""

from __future__ import annotations

import gc
import os
import signal
import subprocess
import sys
import time

import pytest

from autograder.sandbox import SandboxRefused, Settings, WorkerEnded, WorkerLimits
from autograder.sandbox.promise import SECCOMP, UID, has_layer
from autograder.sandbox.spawning import SpawningSandbox

LIMITS = WorkerLimits(memory_mb=128, cpu_seconds=5)
SOURCE = """
import os, threading
def parent(): return os.getppid()
def busy():
    threading.Thread(target=loops, daemon=True).start()
    return os.getpid()
def loops():
    while True: pass
"""


def descriptors(pid: int | str = "self") -> int:
    """How many descriptors a process has open."""
    return len(os.listdir(f"/proc/{pid}/fd"))


def test_a_worker_dies_with_the_grading_process_that_holds_it(opened, student, gone):
    """A submission is graded in a child of its own: when that is killed, its worker alone is."""
    sandbox = opened()
    bystander = student(sandbox, SOURCE)
    reading, writing = os.pipe()
    child = os.fork()
    if child == 0:
        try:
            worker = student(sandbox, SOURCE)
            worker("busy")
            os.write(writing, str(worker.pid).encode())
            time.sleep(60)
        finally:
            os._exit(1)
    pid = int(os.read(reading, 20))
    assert not gone(pid, seconds=0)

    os.kill(child, signal.SIGKILL)
    os.waitpid(child, 0)

    assert gone(pid)
    assert bystander("parent") > 1
    assert sandbox.alive()
    os.close(reading)
    os.close(writing)


def test_what_is_let_go_dies_although_a_child_of_ours_holds_a_copy(opened, student, gone):
    """A process forked meanwhile has the same descriptors; letting go counts all the same."""
    sandbox = opened()
    worker = student(sandbox, SOURCE)
    pid, base = worker("busy"), worker("parent")
    child = os.fork()
    if child == 0:
        time.sleep(60)
        os._exit(0)

    worker.worker.release()

    assert gone(pid)
    began = time.monotonic()
    sandbox.close()
    assert gone(base, seconds=0)
    assert time.monotonic() - began < 8, "it waits for nobody who has gone"
    os.kill(child, signal.SIGKILL)
    os.waitpid(child, 0)


def test_children_of_the_grading_process_share_one_base_process(opened):
    """Each brings its own channel; whether it lives is for all of them to see."""
    sandbox = opened()
    children = []
    for _ in range(4):
        child = os.fork()
        if child == 0:
            status = 1
            try:
                for _ in range(5):
                    sandbox.spawn(LIMITS).kill()
                status = 0 if sandbox.alive() else 2
            finally:
                os._exit(status)
        children.append(child)

    assert [os.waitpid(child, 0)[1] for child in children] == [0] * 4


def test_workers_die_with_the_base_process(opened, student, gone):
    """And nobody waits for it: the next call, the next spawn and alive() answer at once."""
    sandbox = opened()
    worker, other = student(sandbox, SOURCE), student(sandbox, SOURCE)
    base = worker("parent")
    pids = [worker("busy"), other.pid]

    os.kill(base, signal.SIGKILL)

    assert gone(*pids)
    began = time.monotonic()
    with pytest.raises(WorkerEnded, match="died"):
        worker("parent")
    with pytest.raises(SandboxRefused, match="the base process has ended"):
        sandbox.spawn(LIMITS)
    assert not sandbox.alive()
    assert time.monotonic() - began < 8, "it waits for nobody who has gone"


def test_nothing_is_left_when_a_sandbox_is_closed(opened, student, gone):
    """Idle, busy and half-started workers and the base process are gone when close() returns."""
    sandbox = opened()
    workers = [student(sandbox, SOURCE) for _ in range(3)]
    base = workers[0]("parent")
    pids = [base, workers[1].pid, *(worker("busy") for worker in workers[:2])]
    workers[2].worker.release()

    began = time.monotonic()
    sandbox.close()

    assert gone(*pids, seconds=0)
    assert time.monotonic() - began < 8, "it waits for nobody who has gone"
    assert not sandbox.alive()
    sandbox.close()
    with pytest.raises(SandboxRefused):
        sandbox.spawn(LIMITS)


def test_nothing_is_left_when_a_spawning_sandbox_is_closed(student, gone):
    """Its workers are its own children: it knows them all."""
    sandbox = SpawningSandbox(Settings())
    pids = [student(sandbox, SOURCE).pid for _ in range(2)]

    sandbox.close()

    assert gone(*pids, seconds=0)


GRADER = """
import time
from autograder.sandbox import *
sandbox = {sandbox}
worker = sandbox.spawn(WorkerLimits(memory_mb=128, cpu_seconds=5))
worker.load({{"step": "import os\\ndef f(): return os.getpid(), os.getppid()"}}, "step", 5)
from autograder import wire
print(*worker.call("step", "f", [], {{}}, wire.Deadline.after(5)).value, flush=True)
time.sleep(60)
"""
SANDBOXES = {
    "forking": "open_sandbox(Settings())",
    "spawning": "__import__('autograder.sandbox.spawning').sandbox.spawning"
    ".SpawningSandbox(Settings())",
}


@pytest.mark.parametrize("kind", SANDBOXES)
@pytest.mark.parametrize("number", [signal.SIGKILL, signal.SIGTERM])
def test_all_of_it_dies_with_the_grading_process(gone, kind, number):
    """Killed in the middle, it has no time to close anything."""
    code = GRADER.format(sandbox=SANDBOXES[kind])
    with subprocess.Popen([sys.executable, "-c", code], stdout=subprocess.PIPE) as grader:
        assert grader.stdout is not None
        pids = [int(pid) for pid in grader.stdout.readline().split()]

        grader.send_signal(number)
        grader.wait()

    assert gone(*pids)


def test_every_descriptor_and_process_is_given_back(opened, student):
    """After many workers, killed, released, refused and forgotten: here and in the base process."""
    sandbox = opened()
    base = student(sandbox, SOURCE)("parent")

    def use(times: int) -> None:
        for _ in range(times):
            sandbox.spawn(LIMITS).kill()
            sandbox.spawn(LIMITS).release()
        sandbox.spawn(LIMITS).kill()  # after the last one released

    def counts() -> list[int]:
        gc.collect()
        seen = [descriptors()]
        if os.geteuid() == 0:
            seen.append(descriptors(base))
        with open(f"/proc/{base}/task/{base}/children", encoding="ascii") as file:
            return [*seen, len(file.read().split())]

    use(3)
    before = counts()
    use(40)

    assert all(now < then + 10 for now, then in zip(counts(), before, strict=True))  # some linger


def test_a_refused_spawn_gives_back_what_it_opened(opened, python_that):
    """Neither the channel nor the worker's process is forgotten."""
    python_that(
        "from autograder.sandbox import confine\n"
        "def fail(*a, **k): raise OSError('sabotage')\n"
        "confine._set_limits = fail\n"
    )
    sandbox = opened()
    before = descriptors()

    for _ in range(5):
        with pytest.raises(SandboxRefused, match="sabotage"):
            sandbox.spawn(LIMITS)

    gc.collect()
    assert descriptors() == before


def test_more_workers_than_uids_are_refused_and_cost_nothing(opened):
    """The base process goes on; where workers keep the uid of their owner, there is no such end."""
    sandbox = opened()
    own_uids = has_layer(sandbox.confinement.layers, UID)
    workers = []
    try:
        for _ in range(63):
            workers.append(sandbox.spawn(LIMITS))
        if own_uids:
            with pytest.raises(SandboxRefused, match="63 workers live already"):
                sandbox.spawn(LIMITS)
            workers.pop().kill()
        workers.append(sandbox.spawn(LIMITS))
    finally:
        for worker in workers:
            worker.release()

    assert sandbox.alive()


ORPHANING = """
import os, signal, time
def f():
    reading, writing = os.pipe()
    if os.fork() == 0:
        os._exit(0)
    for orphaned in (False, True):
        if os.fork() == 0:
            os.setsid()
            signal.signal(signal.SIGTERM, signal.SIG_IGN)
            if orphaned and os.fork():
                os._exit(0)
            os.fork()
            os.write(writing, b"%d " % os.getpid())
            time.sleep(60)
            os._exit(0)
    said = b""
    while said.count(b" ") < 4:
        said += os.read(reading, 100)
    return said.decode()
def exits(): os._exit(0)
def sleeps(): time.sleep(60)
"""


@pytest.mark.parametrize("ends", ["exits", "sleeps"])
def test_what_a_worker_leaves_behind_is_ended_with_it(mode, student, status, gone, ends):
    """Where nothing keeps it from forking: children, orphans, their children, and the dead."""
    sandbox = mode(SECCOMP)
    worker = student(sandbox, ORPHANING)
    pids = [int(pid) for pid in worker("f").split()]
    base = int(status(worker.pid)["PPid"])
    assert not gone(*pids, seconds=0)

    with pytest.raises(WorkerEnded):
        worker(ends, seconds=0.1)

    assert len(pids) == 4
    assert gone(*pids, seconds=0)
    with open(f"/proc/{base}/task/{base}/children", encoding="ascii") as file:
        assert file.read().split() == []
    assert sandbox.alive()


def test_workers_of_two_sandboxes_never_share_a_uid(opened, student, status):
    """Two graders on one machine hold a block of uids each."""
    uids = [status(student(opened(), SOURCE).pid)["Uid"].split()[0] for _ in range(2)]

    if has_layer(opened().confinement.layers, UID):
        assert len(set(uids)) == 2
    else:
        assert set(uids) == {str(os.getuid())}
