"""What a worker tries on files, sockets and names in the kernel leaves nothing behind."""

from __future__ import annotations

import os
from pathlib import Path

from autograder.sandbox.promise import LANDLOCK, SECCOMP

NETWORK = """
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

FILES = """
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
    for way, *arguments in (
        (os.unlink, victim), (os.rmdir, folder), (os.mkdir, folder + "/litter"),
        (os.mknod, folder + "/litter"), (os.chmod, victim, 0), (os.chown, victim, os.getuid(), -1),
        (os.utime, victim, (0, 0)), (os.open, victim, os.O_WRONLY),
    ):
        tried("at", lambda *a: way(*a, dir_fd=3), *arguments)
    for way in (os.rename, os.replace, os.link):
        tried("at", lambda *a: way(*a, src_dir_fd=3, dst_dir_fd=3), victim, folder + "/litter")
    tried("at", lambda: os.symlink(victim, folder + "/litter", dir_fd=3))
    tried("fchmodat2", call, 452, -100, victim.encode(), 0, 0)
    tried("setxattrat", call, 463, -100, victim.encode(), 0, b"user.x", bytes(16), 16)
    for fd in range(64):
        tried("fchmod", os.fchmod, fd, 0) if fd > 2 else None
        tried("at", lambda *a: os.open(*a, dir_fd=fd), "litter", os.O_CREAT | os.O_WRONLY)
    return ALLOWED
"""


def test_nothing_can_be_reached_or_left_behind_outside_files(any_sandbox, student, trying, guarded):
    """No socket, no name in the kernel that outlives the worker."""
    before = Path("/proc/sysvipc/shm").read_text() if Path("/proc/sysvipc/shm").exists() else ""

    allowed = student(any_sandbox, trying + NETWORK)("attack", 9)

    assert allowed == [] or not guarded(any_sandbox)
    if before:
        assert Path("/proc/sysvipc/shm").read_text() == before


def test_the_attempts_are_not_blind(mode, student, course, trying, guarded):
    """Where nothing is guarded they do succeed, and are seen to."""
    source = trying + (
        "def attack(folder):\n"
        "    tried('socket', socket.socket)\n"
        "    tried('mkdir', os.mkdir, folder + '/litter')\n"
        ""
        "    return ALLOWED\n"
    )
    worker = student(mode(LANDLOCK, SECCOMP), source)

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


def test_no_file_can_be_changed_or_made(any_sandbox, student, course, trying, guarded):
    """Not one that anybody may write to, and no litter in any place that is open to all."""
    before = snapshot(course.folder)

    allowed = student(any_sandbox, trying + FILES)("attack", str(course.hidden))

    assert snapshot(course.folder) == before
    for place in ("/tmp", "/var/tmp", "/dev/shm", "/run/lock", "/"):
        assert not os.path.lexists(f"{place}/litter")
    assert allowed == [] or not guarded(any_sandbox)


def test_only_the_channel_and_closed_folders_are_open(any_sandbox, student):
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
        student(any_sandbox, source)("f")
    )

    assert standard == [(0, *null), (1, *null), (2, *null)]
    assert channel[:2] == (3, 0o140000)
    assert all(folder[1] == 0o040000 for folder in folders)


def test_the_environment_tells_nothing(any_sandbox, student):
    """Neither in Python's view of it nor in the one that the kernel keeps."""
    source = """
import os, sys
def f():
    return [dict(os.environ), sys.argv, os.getcwd(), [p for p in sys.path if "tests" in p]]
"""
    environment, arguments, folder, path = student(any_sandbox, source)("f")

    assert set(environment) == {"PATH", "HOME", "TMPDIR", "LANG", "OMP_NUM_THREADS"}
    assert not [one for one in arguments if str(Path.cwd()) in one and "autograder" not in one]
    assert folder == "/"
    assert path == []
