"""What a worker tries on the processes around it, and on its own layers, is refused."""

from __future__ import annotations

import os
import signal
import subprocess
import sys

import pytest

from autograder.sandbox.promise import UID, has_layer

PROCESSES = """
def attack(pids):
    ours, theirs = socket.socketpair()
    reading, writing = os.pipe()
    pages = struct.pack("QQ", id(sys), 8)
    for pid in pids:
        for number in (0, signal.SIGKILL, signal.SIGSTOP, signal.SIGTERM, signal.SIGHUP):
            tried("kill", os.kill, pid, number)
            tried("killpg", os.killpg, pid, number)
            tried("tgkill", libc.tgkill, pid, pid, number)
            tried("sigqueue", libc.sigqueue, pid, number, None)
        tried("pidfd_open", call, 434, pid, 0)
        tried("ptrace", libc.ptrace, 16, pid, 0, 0)
        tried("seize", libc.ptrace, 0x4206, pid, 0, 0)
        tried("process_vm_readv", libc.process_vm_readv, pid, pages, 1, pages, 1, 0)
        tried("process_vm_writev", libc.process_vm_writev, pid, pages, 1, pages, 1, 0)
        tried("prlimit", resource.prlimit, pid, resource.RLIMIT_CPU, (0, 0))
        tried("affinity", os.sched_setaffinity, pid, {0})
        tried("scheduler", os.sched_setscheduler, pid, os.SCHED_BATCH, os.sched_param(0))
        tried("priority", os.setpriority, os.PRIO_PROCESS, pid, 19)
        tried("mem", open, f"/proc/{pid}/mem", "r+b")
        tried("oom", open, f"/proc/{pid}/oom_score_adj", "w")
        for fd in (3, ours.fileno(), reading):
            tried("F_SETOWN", fcntl.fcntl, fd, fcntl.F_SETOWN, pid)
            tried("F_SETOWN_EX", fcntl.fcntl, fd, 15, struct.pack("ii", 1, pid))
            tried("FIOSETOWN", fcntl.ioctl, fd, 0x8901, struct.pack("i", pid))
            tried("SIOCSPGRP", fcntl.ioctl, fd, 0x8902, struct.pack("i", pid))
            if N:
                tried("F_SETOWN", call, N["fcntl"], fd, fcntl.F_SETOWN | NOISE, pid)
                tried("FIOSETOWN", call, N["ioctl"], fd, 0x8901 | NOISE, struct.pack("i", pid))
    for fd in (3, ours.fileno(), reading):
        tried("F_SETSIG", fcntl.fcntl, fd, 10, signal.SIGKILL)
        tried("FIOASYNC", fcntl.ioctl, fd, 0x5452, struct.pack("i", 1))
    tried("kill all", os.kill, -1, signal.SIGKILL)
    for end in (writing, theirs.fileno()):
        os.write(end, b"x")  # moves the descriptors whose owner would get the signal
    return ALLOWED
"""

PRIVILEGES = """
def attack(_):
    for name in ("setuid", "seteuid", "setgid", "setegid"):
        tried(name, getattr(os, name), 0)
    tried("setresuid", os.setresuid, 0, 0, 0)
    tried("setresgid", os.setresgid, 0, 0, 0)
    tried("setgroups", os.setgroups, [0])
    for flag in (0x20000, 0x2000000, 0x4000000, 0x8000000, 0x10000000, 0x20000000, 0x40000000):
        tried("unshare", libc.unshare, flag)
    tried("chroot", os.chroot, "/")
    tried("mount", libc.mount, b"none", b"/mnt", b"tmpfs", 0, None)
    tried("personality", libc.personality, 0x0400000)
    tried("dumpable", libc.prctl, 4, 1, 0, 0, 0)
    tried("deathsig", libc.prctl, 1, 0, 0, 0, 0)
    tried("new privileges", libc.prctl, 38, 0, 0, 0, 0)
    tried("no seccomp", libc.prctl, 22, 0, 0, 0, 0)
    if N:
        tried("dumpable", call, N["prctl"], 4 | NOISE, 1, 0, 0, 0)
        tried("deathsig", call, N["prctl"], 1 | NOISE, 0, 0, 0, 0)
        tried("perf_event_open", call, N["perf_event_open"], None, 0, -1, -1, 0)
        nothing = struct.pack("QQ", 0, 0)
        tried("prlimit", call, N["prlimit64"], os.getppid() | NOISE, 0, nothing, None)
    for name in dir(resource):
        if name.startswith("RLIMIT_") and name not in ("RLIMIT_RTTIME", "RLIMIT_LOCKS"):
            which = getattr(resource, name)
            hard = resource.getrlimit(which)[1]
            if hard != -1:
                tried(name, resource.setrlimit, which, (hard, hard + 1))
    for young in (425, 428, 430, 433, 434, 438, 442, 444, 447, 452, 463, 466, 467, 469, 511):
        if call(young, 0, 0, 0, 0, 0, 0) != -1 or ctypes.get_errno() != 38:
            ALLOWED.append(f"the system call {young}")
    return ALLOWED
"""

PROGRAMS = """
def attack(_):
    for name in ("fork", "vfork"):
        tried(name, getattr(libc, name))
    tried("os.fork", os.fork)
    tried("system", lambda: -os.system("true"))
    tried("popen", lambda: os.popen("echo x").read() or -1)
    tried("exec", os.execv, "/bin/true", ["true"])
    tried("run", lambda: __import__("subprocess").run(["/bin/true"]))
    tried("spawn", os.posix_spawn, "/bin/true", ["true"], {})
    if N:
        tried("clone", call, N["clone"], 17, 0, 0, 0, 0)
    tried("clone3", call, 435, bytes(88), 88)
    return ALLOWED
"""


@pytest.fixture
def victim():
    """A process of the grading process's own user, in its place."""
    with subprocess.Popen([sys.executable, "-c", "import time; time.sleep(60)"]) as process:
        yield process
        process.kill()


def test_no_process_can_be_signalled_traced_or_slowed(
    any_sandbox, student, status, victim, trying, guarded
):
    """Neither the grading process, nor the base process, nor any other; by no roundabout way."""
    worker = student(any_sandbox, trying + PROCESSES)
    parent = int(status(worker.pid)["PPid"])
    pids = [victim.pid, *([parent] if parent != os.getpid() else [])]

    allowed = worker("attack", pids)

    assert victim.poll() is None
    assert any_sandbox.alive()
    assert allowed == [] or not guarded(any_sandbox)


@pytest.mark.parametrize("source", [PRIVILEGES, PROGRAMS], ids=["privileges", "programs"])
def test_no_layer_can_be_undone_and_no_program_started(
    any_sandbox, student, status, source, trying, guarded
):
    """Limits do not grow, another uid is not had, the memory stays shut, nothing is forked."""
    worker = student(any_sandbox, trying + source)
    before = status(worker.pid)

    allowed = worker("attack", 0)

    after = status(worker.pid)
    unchanged = ("Uid", "Gid", "Groups", "CapEff", "NoNewPrivs", "Seccomp", "Threads")
    assert {name: after[name] for name in unchanged} == {name: before[name] for name in unchanged}
    assert allowed == [] or not guarded(any_sandbox)


def test_workers_of_two_submissions_are_strangers(forking, student, status, trying, guarded):
    """Live workers have a uid each where that can be; where not, a filter keeps them apart."""
    workers = [student(forking, trying + PROCESSES) for _ in range(3)]
    uids = [status(worker.pid)["Uid"].split()[0] for worker in workers]

    allowed = workers[0]("attack", [worker.pid for worker in workers[1:]])

    assert all(worker("attack", []) is not None for worker in workers[1:])
    assert allowed == [] or not guarded(forking)
    if has_layer(forking.confinement.layers, UID):
        assert len({*uids, str(os.getuid())}) == 4


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT, signal.SIGXCPU, signal.SIGHUP])
def test_signals_that_it_ignores_do_not_save_it(any_sandbox, student, gone, number):
    """A worker is ended by a signal that nobody can ignore."""
    source = f"import signal\ndef f(): signal.signal({int(number)}, signal.SIG_IGN)"
    worker = student(any_sandbox, source)
    pid = worker.pid
    worker("f")

    worker.worker.kill()

    assert gone(pid, seconds=0)
