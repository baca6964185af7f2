"""What a command can leave behind or reach, seen from outside it. It runs within watched.py."""

from __future__ import annotations

import contextlib
import os
import socket
from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from watched import Order

SHARED = ("/tmp", "/var/tmp", "/dev/shm", "/run/lock")  # where anybody may leave something
QUEUES = "/dev/mqueue"
LITTER = "litter"  # in the name of whatever an attack leaves: for folders that are not ours alone
LITTLE = 10_000  # bytes


class Seen:
    """What there is at one moment of what can be left behind."""

    def __init__(self, order: Order) -> None:
        ours = order["namespaces"]
        self.files = {path for folder in SHARED for path in _below(folder, order["shown"], ours)}
        kinds = [Path("/proc/sysvipc") / name for name in ("shm", "msg", "sem")]
        self.queues = {f"{kind.name}: {line}" for kind in kinds for line in _lines(kind)[1:]}
        self.queues |= {f"queue: {name}" for name in _names(QUEUES)}
        self.sockets = _sockets() if ours else set()
        self.processes = _processes(ours=ours)


def _processes(*, ours: bool) -> list[str]:
    """All that run in these namespaces; without any, those that came from this process."""
    own = os.getpid()
    found = {}
    for folder in Path("/proc").glob("[0-9]*"):
        with contextlib.suppress(OSError):
            parent = int((folder / "stat").read_text().rpartition(")")[2].split()[1])
            words = (folder / "cmdline").read_bytes().replace(b"\0", b" ").decode()
            found[int(folder.name)] = (parent, folder.stat().st_uid, words)
    if not ours:
        found = {pid: told for pid, told in found.items() if _descends(pid, own, found)}
    found.pop(own, None)
    return [f"{pid} of uid {uid}: {words}" for pid, (_, uid, words) in sorted(found.items())]


def _sockets() -> set[str]:
    """All of this network: where it is not our own, nobody can tell whose they are."""
    folder = Path("/proc/self/net")
    names = ("tcp", "tcp6", "udp", "udp6", "raw", "raw6", "packet", "unix")
    return {f"{name}: {line}" for name in names for line in _lines(folder / name)[1:]}


def _descends(pid: int, ancestor: int, found: dict[int, Any]) -> bool:
    while pid in found and pid != ancestor:
        pid = found[pid][0]
    return pid == ancestor


def _below(folder: str, shown: list[str], ours: bool) -> list[str]:
    """Everything below it, but for what is shown there."""
    found = []
    for where, folders, files in os.walk(folder):
        folders[:] = [name for name in folders if os.path.join(where, name) not in shown]
        found += [os.path.join(where, name) for name in (*folders, *files)]
    above = [path for path in found if any(Path(one).is_relative_to(path) for one in shown)]
    return [path for path in found if path not in above and (ours or LITTER in path)]


def _names(folder: str) -> list[str]:
    return os.listdir(folder) if os.path.isdir(folder) else []


def _lines(path: Path) -> list[str]:
    with contextlib.suppress(OSError):
        return path.read_text().splitlines()
    return []


def listen(order: Order) -> list[socket.socket]:
    """Sockets that nobody may reach: TCP, UDP, an abstract name and a path."""
    near = ("127.0.0.1", order["port"])
    addresses: list[tuple[int, int, Any]] = [
        (socket.AF_INET, socket.SOCK_STREAM, near),
        (socket.AF_INET, socket.SOCK_DGRAM, near),
        (socket.AF_UNIX, socket.SOCK_STREAM, f"\0attention-attacks-{order['port']}"),
        (socket.AF_UNIX, socket.SOCK_STREAM, order["listening"]),
    ]
    opened = []
    for family, kind, address in addresses:
        one = socket.socket(family, kind)
        try:
            one.bind(address)
        except OSError:  # taken by somebody, in a network that is not ours alone
            one.close()
            continue
        one.setblocking(False)
        if kind == socket.SOCK_STREAM:
            one.listen()
        opened.append(one)
    os.chmod(order["listening"], 0o777)
    return opened


def arrived(listening: list[socket.socket]) -> list[str]:
    """Where somebody came, or sent something."""
    found = []
    for one in listening:
        with contextlib.suppress(BlockingIOError):
            if one.type == socket.SOCK_STREAM:
                one.accept()
            else:
                one.recv(LITTLE)
            found.append(repr(one.getsockname()))
    return found
