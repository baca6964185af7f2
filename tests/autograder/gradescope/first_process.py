"""The first process of a container: run as a program, by container.py, as root.

It gives itself namespaces of its own, makes the image its root, mounts what Docker mounts, gives
up what Docker does not leave to root, and starts one command. When that ends, so does everything
else that was started here.
"""

from __future__ import annotations

import ctypes
import fcntl
import json
import os
import signal
import socket
import struct
import sys
import traceback
from pathlib import Path
from typing import TypedDict

import pyseccomp
from default_profile import (
    LIBC,
    MASKED,
    READ_ONLY,
    checked,
    keep_default_capabilities,
    system_call_filters,
)

CLONE_NEWNS, CLONE_NEWUTS, CLONE_NEWIPC = 0x00020000, 0x04000000, 0x08000000
CLONE_NEWPID, CLONE_NEWNET = 0x20000000, 0x40000000
MS_RDONLY, MS_NOSUID, MS_NODEV, MS_NOEXEC, MS_REMOUNT = 1, 2, 4, 8, 32
MS_BIND, MS_REC, MS_PRIVATE = 0x1000, 0x4000, 0x40000
STRICT = MS_NOSUID | MS_NODEV | MS_NOEXEC
MNT_DETACH = 2
PR_SET_PDEATHSIG, PR_SET_DUMPABLE = 1, 4
SIOCGIFFLAGS, SIOCSIFFLAGS, IFF_UP = 0x8913, 0x8914, 1
DEVICES = ("null", "zero", "full", "random", "urandom", "tty")
LINKS = {
    "fd": "/proc/self/fd",
    "stdin": "/proc/self/fd/0",
    "stdout": "/proc/self/fd/1",
    "stderr": "/proc/self/fd/2",
    "ptmx": "pts/ptmx",
    "core": "/proc/kcore",
}


class Order(TypedDict):
    """What is to be run, and in what."""

    image: str  # the folder that becomes the root
    changes: str | None  # a folder that takes all that is written; None: the image itself does
    shown: list[str]  # files and folders of the host that are seen, at the same path, read-only
    hostname: str
    network: bool  # the host's; else only the loopback
    landlock: bool
    command: list[str]
    environment: dict[str, str]
    folder: str  # where the command starts
    cgroup: str | None  # the cgroup.procs that the command is written to


def main(report: socket.socket) -> int:
    """Stay outside, wait for the container's end, and pass its exit status on.

    Args:
        report: gives the order; takes the first process's pid, and "ready" from that process,
            which then does nothing until it is answered. It is no argument of the program: those
            can be read in the container.
    """
    checked(LIBC.prctl(PR_SET_PDEATHSIG, signal.SIGKILL), "follow the test into death")
    order: Order = json.loads(report.makefile("r").readline())
    filters = system_call_filters(landlock=order["landlock"])  # from the host's library
    namespaces = CLONE_NEWNS | CLONE_NEWUTS | CLONE_NEWIPC | CLONE_NEWPID
    if not order["network"]:
        namespaces |= CLONE_NEWNET
    checked(LIBC.unshare(namespaces), "unshare")
    first = os.fork()
    if first == 0:
        try:
            os._exit(run_as_first(order, filters, report))
        except BaseException:
            traceback.print_exc()
            os._exit(1)
    report.sendall(b"%d\n" % first)
    report.close()
    return exit_code(os.waitpid(first, 0)[1])


def run_as_first(
    order: Order, filters: list[pyseccomp.SyscallFilter], report: socket.socket
) -> int:
    """Become the container, then start the command in it and bury the dead until it ends."""
    checked(LIBC.prctl(PR_SET_PDEATHSIG, signal.SIGKILL), "follow the one outside into death")
    signal.signal(signal.SIGINT, signal.SIG_DFL)
    os.setsid()
    os.umask(0o022)
    members = os.open(order["cgroup"], os.O_WRONLY) if order["cgroup"] else None
    change_root(order)
    socket.sethostname(order["hostname"])
    if not order["network"]:
        start_loopback()
    for rules in filters:
        rules.load()
    keep_default_capabilities()
    hide = "hide this program, which is the host's, from root in the container"
    checked(LIBC.prctl(PR_SET_DUMPABLE, 0, 0, 0, 0), hide)
    report.sendall(b"ready\n")
    if not report.recv(1):
        return 1  # nobody waits for us any more
    report.close()
    child = os.fork()
    if child == 0:
        start(order, members)
    if members is not None:
        os.close(members)
    while True:
        pid, status = os.wait()
        if pid == child:
            return exit_code(status)


def start(order: Order, members: int | None) -> None:
    """Become the command, with nothing of this program left open, ignored or counted."""
    try:
        if members is not None:
            os.write(members, b"0")
        for ignored_by_python in (signal.SIGPIPE, signal.SIGXFSZ):
            signal.signal(ignored_by_python, signal.SIG_DFL)
        os.chdir(order["folder"])
        os.execve(order["command"][0], order["command"], order["environment"])
    except OSError as error:
        os.write(2, f"{order['command'][0]}: {error.strerror}\n".encode())
        os._exit(127 if isinstance(error, FileNotFoundError) else 126)  # as a shell says it


def exit_code(status: int) -> int:
    """A wait status as a shell says it: 128 and the signal for a killed one."""
    code = os.waitstatus_to_exitcode(status)
    return code if code >= 0 else 128 - code


def mount(kind: str, target: str | Path, flags: int, source: str = "", data: str = "") -> None:
    """mount(2); `source` is `kind` where none is given."""
    words = [os.fsencode(word) for word in (source or kind, target, kind, data)]
    what = f"mount {kind or source} on {target}"
    checked(LIBC.mount(words[0], words[1], words[2], ctypes.c_ulong(flags), words[3]), what)


def bind(source: str | Path, target: str | Path, flags: int = 0) -> None:
    """Show a file or folder at a second place; flags need a second call."""
    mount("", target, MS_BIND | MS_REC, str(source))
    if flags:
        mount("", target, MS_BIND | MS_REMOUNT | flags, str(source))


def change_root(order: Order) -> None:
    """Make the image, or a layer over it, the root of all that this process can see.

    No device node that is made in it can be opened: Docker forbids it with a cgroup.
    """
    mount("", "/", MS_REC | MS_PRIVATE, "none")
    root = Path(order["image"])
    if order["changes"] is None:
        bind(root, root, MS_NODEV)
    else:
        layers = {"lowerdir": str(root)}
        for option, name in (("upperdir", "root"), ("workdir", "work")):
            layers[option] = f"{order['changes']}/{name}"
        root = Path(order["changes"], "seen")
        data = ",".join(f"{option}={path}" for option, path in layers.items())
        mount("overlay", root, MS_NODEV, data=data)
    for path in order["shown"]:
        bind(path, place_for(path, root), MS_RDONLY | MS_NOSUID)
    mount_kernel_files(root)
    mount_devices(root / "dev")
    os.chdir(root)
    pivot_root = pyseccomp.resolve_syscall(pyseccomp.system_arch(), "pivot_root")
    checked(LIBC.syscall(ctypes.c_long(pivot_root), b".", b"."), "pivot_root")
    checked(LIBC.umount2(b".", MNT_DETACH), "let the host's root go")
    os.chdir("/")


def place_for(path: str, root: Path) -> Path:
    """An empty file or folder at the same place under the new root."""
    place = root / path.lstrip("/")
    if Path(path).is_dir():
        place.mkdir(parents=True, exist_ok=True)
    else:
        place.parent.mkdir(parents=True, exist_ok=True)
        place.touch()
    return place


def mount_kernel_files(root: Path) -> None:
    """/proc and /sys, with the parts hidden and write-protected that Docker hides and protects."""
    mount("proc", root / "proc", STRICT)
    mount("sysfs", root / "sys", STRICT | MS_RDONLY)
    for name in READ_ONLY:
        place = root / name.lstrip("/")
        if place.exists():
            bind(place, place, STRICT | MS_RDONLY)
    for name in MASKED:
        place = root / name.lstrip("/")
        if place.is_dir():
            mount("tmpfs", place, STRICT | MS_RDONLY)
        elif place.exists():
            bind("/dev/null", place)


def mount_devices(dev: Path) -> None:
    """The few devices of a container: the host's own, shown one by one."""
    mount("tmpfs", dev, MS_NOSUID | MS_NODEV, data="mode=755,size=65536k")
    for name in DEVICES:
        (dev / name).touch()
        bind(f"/dev/{name}", dev / name)
    for name in ("pts", "shm"):
        (dev / name).mkdir()
    own_terminals = "newinstance,ptmxmode=0666,mode=0620,gid=5"
    mount("devpts", dev / "pts", MS_NOSUID | MS_NOEXEC, data=own_terminals)
    mount("tmpfs", dev / "shm", STRICT, data="mode=1777,size=65536k")
    if "\tmqueue\n" in Path("/proc/filesystems").read_text():  # not every kernel has queues
        (dev / "mqueue").mkdir()
        mount("mqueue", dev / "mqueue", STRICT)
    for name, target in LINKS.items():
        (dev / name).symlink_to(target)


def start_loopback() -> None:
    """Bring 127.0.0.1 up; a new network namespace has it down."""
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as any_socket:
        request = struct.pack("16sh22x", b"lo", 0)
        _, flags = struct.unpack("16sh22x", fcntl.ioctl(any_socket, SIOCGIFFLAGS, request))
        fcntl.ioctl(any_socket, SIOCSIFFLAGS, struct.pack("16sh22x", b"lo", flags | IFF_UP))


if __name__ == "__main__":
    sys.exit(main(socket.socket(fileno=int(sys.argv[1]))))
