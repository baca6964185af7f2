"""Runs one command and says what it left behind: run as a program, by environments.py.

It stays outside what it runs: the command is started in a container's confinement or as an ordinary
user, this program is not. As root everything happens in namespaces of its own, so an attack that
succeeds ends no process of this machine and leaves nothing in its /tmp.
"""

from __future__ import annotations

import contextlib
import json
import os
import resource
import select
import signal
import stat
import sys
import time
import traceback
from pathlib import Path
from typing import TypedDict

import pyseccomp
from default_profile import LIBC, checked, keep_default_capabilities, system_call_filters
from first_process import (
    CLONE_NEWIPC,
    CLONE_NEWNET,
    CLONE_NEWNS,
    CLONE_NEWPID,
    MS_NODEV,
    MS_NOSUID,
    MS_PRIVATE,
    MS_REC,
    PR_SET_PDEATHSIG,
    STRICT,
    bind,
    exit_code,
    mount,
    start_loopback,
)
from leftovers import QUEUES, SHARED, Seen, arrived, listen

LANDLOCK = range(444, 447)  # its three system calls, on every architecture
PR_SET_CHILD_SUBREAPER = 36
ENOSYS = 38


class Order(TypedDict):
    """What is to be run, and in what."""

    command: list[str]
    environment: dict[str, str]
    folder: str  # where the command starts
    output: list[int]  # inherited descriptors for standard output and standard error
    namespaces: bool  # its own processes, network, queues, mounts and shared folders; needs root
    shown: list[str]  # files and folders that the command needs, wherever they lie
    container: bool  # with a default container's capabilities and system calls
    landlock: bool  # False: as a kernel without it answers
    uid: int | None  # of an ordinary user; None: whoever runs this
    port: int  # somebody listens there meanwhile
    listening: str  # and at this path
    seconds: float  # after so many it is ended


class Left(TypedDict):
    """What the command left."""

    status: int  # 128 and the signal for a killed one
    timed_out: bool
    seconds: float
    peak_mb: float  # of the largest of its processes
    processes: list[str]
    files: list[str]
    queues: list[str]
    sockets: list[str]
    arrived: list[str]  # at the listening sockets


def main() -> int:
    """Read an order, run it, and write what was left; exits with 0 when it could be run."""
    order: Order = json.load(sys.stdin)
    checked(LIBC.prctl(PR_SET_PDEATHSIG, signal.SIGKILL), "follow the test into death")
    if not order["namespaces"]:
        return _tell(_watch(order))
    checked(LIBC.unshare(CLONE_NEWNS | CLONE_NEWIPC | CLONE_NEWPID | CLONE_NEWNET), "unshare")
    first = os.fork()
    if first == 0:
        try:
            checked(LIBC.prctl(PR_SET_PDEATHSIG, signal.SIGKILL), "follow the one outside")
            _own_mounts(order)
            start_loopback()
            os._exit(_tell(_watch(order)))
        except BaseException:
            traceback.print_exc()
            os._exit(1)
    return exit_code(os.waitpid(first, 0)[1])


def _tell(left: Left) -> int:
    print(json.dumps(left), flush=True)
    return 0


def _own_mounts(order: Order) -> None:
    """Empty shared folders, and what is needed shown again where it was; for an ordinary user also
    where a folder above it is closed to him."""
    mount("", "/", MS_REC | MS_PRIVATE, "none")
    opened = {path: os.open(path, os.O_PATH) for path in order["shown"]}
    covers = {path: "mode=1777" for path in SHARED if os.path.isdir(path)}
    if order["uid"] is not None:
        for path in order["shown"]:
            closed = _closed_above(path)
            if closed and not any(closed.is_relative_to(shared) for shared in SHARED):
                covers[str(closed)] = "mode=0755"
    for path, mode in covers.items():
        mount("tmpfs", path, MS_NOSUID | MS_NODEV, data=mode)
    for path, descriptor in opened.items():
        if any(Path(path).is_relative_to(cover) for cover in covers) and not os.path.lexists(path):
            _make_place(path, is_folder=stat.S_ISDIR(os.fstat(descriptor).st_mode))
            bind(f"/proc/self/fd/{descriptor}", path)
        os.close(descriptor)
    mount("proc", "/proc", STRICT)
    if os.path.isdir(QUEUES):  # of these namespaces, not of the machine
        mount("mqueue", QUEUES, STRICT)


def _closed_above(path: str) -> Path | None:
    """The topmost folder above `path` that others may not pass through."""
    for folder in reversed(Path(path).parents):
        if not folder.stat().st_mode & stat.S_IXOTH:
            return folder
    return None


def _make_place(path: str, *, is_folder: bool) -> None:
    os.makedirs(path if is_folder else os.path.dirname(path), mode=0o755, exist_ok=True)
    if not is_folder:
        Path(path).touch()


def _watch(order: Order) -> Left:
    """Run the command to its end, then look at what there is that was not there before."""
    checked(LIBC.prctl(PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0), "adopt what is left")
    listening = listen(order)
    before = Seen(order)
    begun = time.monotonic()
    child = os.fork()
    if child == 0:
        _become(order)
    timed_out = _wait(child, order["seconds"])
    _, status, usage = os.wait4(child, 0)
    passed = time.monotonic() - begun
    _reap()
    after = Seen(order)
    left: Left = {
        "status": exit_code(status),
        "timed_out": timed_out,
        "seconds": passed,
        "peak_mb": usage.ru_maxrss / 1024,
        "processes": after.processes,
        "files": sorted(after.files - before.files),
        "queues": sorted(after.queues - before.queues),
        "sockets": sorted(after.sockets - before.sockets),
        "arrived": arrived(listening),
    }
    return left


def _become(order: Order) -> None:
    """Become the command, confined as ordered, with nothing of this program left open."""
    try:
        os.dup2(os.open(os.devnull, os.O_RDONLY), 0)
        for standard, inherited in zip((1, 2), order["output"], strict=True):
            os.dup2(inherited, standard)
        os.closerange(3, resource.getrlimit(resource.RLIMIT_NOFILE)[0])
        for rules in _filters(order):
            rules.load()
        if order["container"]:
            keep_default_capabilities()
        if order["uid"] is not None:
            os.setgroups([])
            os.setresgid(*[order["uid"]] * 3)
            os.setresuid(*[order["uid"]] * 3)
        for ignored_by_python in (signal.SIGPIPE, signal.SIGXFSZ):
            signal.signal(ignored_by_python, signal.SIG_DFL)
        checked(LIBC.prctl(PR_SET_PDEATHSIG, signal.SIGKILL), "follow this program into death")
        os.setsid()
        os.chdir(order["folder"])
        os.execve(order["command"][0], order["command"], order["environment"])
    except BaseException as error:
        os.write(2, f"{order['command'][0]}: {error!r}\n".encode())
        os._exit(126)


def _filters(order: Order) -> list[pyseccomp.SyscallFilter]:
    """The filters that the command runs under before it adds any of its own."""
    if order["container"]:
        return system_call_filters(landlock=order["landlock"])
    if order["landlock"]:
        return []
    rules = pyseccomp.SyscallFilter(pyseccomp.ALLOW)
    rules.set_attr(pyseccomp.Attr.CTL_NNP, int(os.geteuid() != 0))
    for number in LANDLOCK:
        rules.add_rule(pyseccomp.ERRNO(ENOSYS), number)
    return [rules]


def _wait(child: int, seconds: float) -> bool:
    """Wait for its end, not yet reaping it; whether it had to be ended."""
    handle = os.pidfd_open(child)
    try:
        if select.select([handle], [], [], seconds)[0]:
            return False
        signal.pidfd_send_signal(handle, signal.SIGKILL)
        select.select([handle], [], [])
        return True
    finally:
        os.close(handle)


def _reap() -> None:
    """Bury what has ended already, and give what is about to end a moment for it."""
    end = time.monotonic() + 1
    with contextlib.suppress(ChildProcessError):
        while time.monotonic() < end:
            if os.waitpid(-1, os.WNOHANG)[0] == 0:
                time.sleep(0.01)


if __name__ == "__main__":
    sys.exit(main())
