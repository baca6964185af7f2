"""What a worker tries on the machine around it is refused, and nothing there is changed."""

from __future__ import annotations

import os
import platform
import signal
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from autograder.sandbox import Sandbox, Settings, open_sandbox
from autograder.sandbox.promise import (
    LANDLOCK,
    NO_FILES,
    PRIVATE,
    SECCOMP,
    UID,
    has_layer,
)

CALLS = ("prctl", "fcntl", "ioctl", "clone", "prlimit64", "perf_event_open")
NUMBERS = {  # of calls that have to be made past the C library, which tidies their arguments
    "x86_64": dict(zip(CALLS, (157, 72, 16, 56, 302, 298), strict=True)),
    "aarch64": dict(zip(CALLS, (167, 25, 29, 220, 261, 241), strict=True)),
}.get(platform.machine(), {})
NOISE = 1 << 32  # in a bit that the kernel does not read

TRYING = f"""
import ctypes, fcntl, os, resource, signal, socket, struct, sys, time
libc = ctypes.CDLL(None, use_errno=True)
libc.syscall.restype = ctypes.c_long
N, NOISE = {NUMBERS!r}, {NOISE}
ALLOWED = []

def call(number, *arguments):
    made = [ctypes.c_long(a) if isinstance(a, int) else a for a in arguments]
    return libc.syscall(ctypes.c_long(number), *made)

def tried(name, way, *arguments):
    try:
        result = way(*arguments)
    except (OSError, ValueError, RuntimeError, ImportError, LookupError):
        return
    if not (isinstance(result, int) and result < 0):
        ALLOWED.append(f"{{name}} {{arguments}} gave {{result!r}}")
"""

PROCESSES = (
    TRYING
    + """
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
)

PRIVILEGES = (
    TRYING
    + """
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
)

PROGRAMS = (
    TRYING
    + """
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
)

NETWORK = (
    TRYING
    + """
def attack(port):
    for family in (socket.AF_INET, socket.AF_INET6, socket.AF_UNIX, socket.AF_NETLINK, 38, 40):
        for kind in (socket.SOCK_STREAM, socket.SOCK_DGRAM, socket.SOCK_RAW, socket.SOCK_SEQPACKET):
            tried("socket", lambda *a: socket.socket(*a) and 0, int(family), int(kind))
    tried("connect", socket.create_connection, ("127.0.0.1", port), 1)
    ours, theirs = socket.socketpair(socket.AF_UNIX, socket.SOCK_DGRAM)
    for name in ("0", "attention-autograder-uids-0"):
        tried("bind", ours.bind, chr(0) + name)
        tried("connect", ours.connect, chr(0) + name)
        tried("sendto", ours.sendto, b"x", chr(0) + name)
    tried("send a descriptor", socket.send_fds, ours, [b"x"], [3])
    tried("shmget", libc.shmget, 0x51AB, 4096, 0o1666)
    tried("msgget", libc.msgget, 0x51AB, 0o1666)
    tried("semget", libc.semget, 0x51AB, 1, 0o1666)
    tried("mq_open", libc.mq_open, b"/litter", 0o102, 0o666, None)
    tried("memfd", os.memfd_create, "litter")
    return ALLOWED
"""
)

FILES = (
    TRYING
    + """
def attack(victim):
    folder = os.path.dirname(victim)
    litter = ("/tmp", "/var/tmp", "/dev/shm", "/run/lock", "/", ".", folder)
    for way in ("w", "a", "r+", "x"):
        tried("open", lambda path, way: open(path, way) and 0, victim, way)
        for place in litter:
            tried("open", lambda path, way: open(path, way) and 0, f"{place}/litter", way)
    for flags in (os.O_WRONLY, os.O_RDWR, os.O_TRUNC, os.O_CREAT, 3, os.O_APPEND | os.O_RDWR):
        tried("os.open", os.open, victim, flags)
        tried("os.open", os.open, victim, flags | os.O_PATH & 0)
    for place in litter:
        tried("O_TMPFILE", os.open, place, os.O_TMPFILE | os.O_RDWR)
        tried("mkdir", os.mkdir, f"{place}/litter")
        tried("mkfifo", os.mkfifo, f"{place}/litter")
        tried("symlink", os.symlink, victim, f"{place}/litter")
        tried("link", os.link, victim, f"{place}/litter")
    tried("truncate", os.truncate, victim, 0)
    tried("unlink", os.unlink, victim)
    tried("rmdir", os.rmdir, folder)
    tried("rename", os.rename, victim, victim + "x")
    tried("replace", os.replace, victim, victim + "x")
    tried("chmod", os.chmod, victim, 0)
    tried("chmod", os.chmod, folder, 0)
    tried("chown", os.chown, victim, os.getuid(), -1)
    tried("utime", os.utime, victim, (0, 0))
    tried("setxattr", os.setxattr, victim, "user.x", b"x")
    tried("fchmodat2", call, 452, -100, victim.encode(), 0, 0)
    tried("setxattrat", call, 463, -100, victim.encode(), 0, b"user.x", bytes(16), 16)
    for fd in range(64):
        tried("fchmod", os.fchmod, fd, 0) if fd > 2 else None
        tried("at", lambda *a: os.open(*a, dir_fd=fd), "litter", os.O_CREAT | os.O_WRONLY)
    return ALLOWED
"""
)


@pytest.fixture(params=["forking", "spawning", "unlocked"])
def sandbox(request: pytest.FixtureRequest) -> Sandbox:
    """Every way of starting a worker, and every way of keeping it from the files."""
    made: Sandbox = request.getfixturevalue(request.param)
    return made


@pytest.fixture(scope="module")
def unlocked() -> Iterator[Sandbox]:
    """Without Landlock: another uid before a closed course, else no file at all."""
    sandbox = open_sandbox(Settings(without=(LANDLOCK,), secrets_private=True))
    yield sandbox
    sandbox.close()


@pytest.fixture
def victim():
    """A process of the grading process's own user, in its place."""
    with subprocess.Popen([sys.executable, "-c", "import time; time.sleep(60)"]) as process:
        yield process
        process.kill()


def guarded(layers: tuple[str, ...]) -> bool:
    """The layers that a refusal of everything takes; elsewhere the promise says less."""
    files = any(has_layer(layers, layer) for layer in (LANDLOCK, NO_FILES, PRIVATE))
    return has_layer(layers, SECCOMP) and files


def test_no_process_can_be_signalled_traced_or_slowed(sandbox, student, status, victim):
    """Neither the grading process, nor the base process, nor any other; by no roundabout way."""
    worker = student(sandbox, PROCESSES)
    parent = int(status(worker.pid)["PPid"])
    pids = [victim.pid, *([parent] if parent != os.getpid() else [])]

    allowed = worker("attack", pids)

    assert victim.poll() is None
    assert sandbox.alive()
    assert allowed == [] or not guarded(sandbox.confinement.layers)


@pytest.mark.parametrize("source", [PRIVILEGES, PROGRAMS], ids=["privileges", "programs"])
def test_no_layer_can_be_undone_and_no_program_started(sandbox, student, status, source):
    """Limits do not grow, another uid is not had, the memory stays shut, nothing is forked."""
    worker = student(sandbox, source)
    before = status(worker.pid)

    allowed = worker("attack", 0)

    after = status(worker.pid)
    unchanged = ("Uid", "Gid", "Groups", "CapEff", "NoNewPrivs", "Seccomp", "Threads")
    assert {name: after[name] for name in unchanged} == {name: before[name] for name in unchanged}
    assert allowed == [] or not guarded(sandbox.confinement.layers)


def test_nothing_can_be_reached_or_left_behind_outside_files(sandbox, student):
    """No socket, no name in the kernel that outlives the worker."""
    before = Path("/proc/sysvipc/shm").read_text() if Path("/proc/sysvipc/shm").exists() else ""

    allowed = student(sandbox, NETWORK)("attack", 9)

    assert allowed == [] or not guarded(sandbox.confinement.layers)
    if before:
        assert Path("/proc/sysvipc/shm").read_text() == before


def test_the_attempts_are_not_blind(opened, student, course):
    """Where nothing is guarded they do succeed, and are seen to."""
    source = TRYING + (
        "def attack(folder):\n"
        "    tried('socket', socket.socket)\n"
        "    tried('mkdir', os.mkdir, folder + '/litter')\n"
        ""
        "    return ALLOWED\n"
    )
    worker = student(opened(without=(SECCOMP, LANDLOCK)), source)

    allowed = worker("attack", str(course.folder))

    assert [one.split()[0] for one in allowed][:2] == ["socket", "mkdir"]
    assert (course.folder / "litter").is_dir()


def snapshot(folder: Path) -> dict[str, tuple[object, ...]]:
    """Every file below a folder, with all that can be changed about it."""
    found = {}
    for path in [folder, *folder.rglob("*")]:
        told = path.stat()
        content = path.read_bytes() if path.is_file() else b""
        found[str(path)] = (told.st_mode, told.st_uid, told.st_nlink, told.st_mtime_ns, content)
    return found


def test_no_file_can_be_changed_or_made(sandbox, student, course):
    """Not one that anybody may write to, and no litter in any place that is open to all."""
    before = snapshot(course.folder)

    allowed = student(sandbox, FILES)("attack", str(course.hidden))

    assert snapshot(course.folder) == before
    for place in ("/tmp", "/var/tmp", "/dev/shm", "/run/lock", "/"):
        assert not os.path.lexists(f"{place}/litter")
    assert allowed == [] or not guarded(sandbox.confinement.layers)


def test_only_the_channel_and_closed_folders_are_open(sandbox, student):
    """/dev/null three times, the channel, and library folders that only name other files."""
    source = """
import os, stat
def f():
    found = []
    for fd in range(5000):
        try:
            found.append((fd, stat.S_IFMT(os.fstat(fd).st_mode), os.fstat(fd).st_rdev))
        except OSError:
            continue
        if fd > 3:
            try:
                os.read(fd, 1)
                found.append("it can be read")
            except OSError as error:
                assert error.errno == 9
    return found
"""
    null = (0o020000, os.makedev(1, 3))

    standard, channel, folders = (lambda all: (all[:3], all[3], all[4:]))(
        student(sandbox, source)("f")
    )

    assert standard == [(0, *null), (1, *null), (2, *null)]
    assert channel[:2] == (3, 0o140000)
    assert all(folder[1] == 0o040000 for folder in folders)


def test_the_environment_tells_nothing(sandbox, student):
    """Neither in Python's view of it nor in the one that the kernel keeps."""
    source = """
import os, sys
def f():
    return [dict(os.environ), sys.argv, os.getcwd(), [p for p in sys.path if "tests" in p]]
"""
    environment, arguments, folder, path = student(sandbox, source)("f")

    assert set(environment) == {"PATH", "HOME", "TMPDIR", "LANG", "OMP_NUM_THREADS"}
    assert not [one for one in arguments if str(Path.cwd()) in one and "autograder" not in one]
    assert folder == "/"
    assert path == []


def test_workers_of_two_submissions_are_strangers(forking, student, status):
    """Live workers have a uid each where that can be; where not, a filter keeps them apart."""
    workers = [student(forking, PROCESSES) for _ in range(3)]
    uids = [status(worker.pid)["Uid"].split()[0] for worker in workers]

    allowed = workers[0]("attack", [worker.pid for worker in workers[1:]])

    assert all(worker("attack", []) is not None for worker in workers[1:])
    assert allowed == [] or not guarded(forking.confinement.layers)
    if has_layer(forking.confinement.layers, UID):
        assert len({*uids, str(os.getuid())}) == 4


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT, signal.SIGXCPU, signal.SIGHUP])
def test_signals_that_it_ignores_do_not_save_it(sandbox, student, gone, number):
    """A worker is ended by a signal that nobody can ignore."""
    source = f"import signal\ndef f(): signal.signal({int(number)}, signal.SIG_IGN)"
    worker = student(sandbox, source)
    pid = worker.pid
    worker("f")

    worker.worker.kill()

    assert gone(pid, seconds=0)
