"""Where Python's own libraries lie, and how a worker with another uid reads them; only the
libraries: a course's folders are never among them."""

from __future__ import annotations

import fcntl
import os
import sys
import sysconfig
from pathlib import Path

_SYSTEM = ("/usr/lib", "/usr/lib64", "/lib", "/lib64", "/usr/share/zoneinfo", "/etc/localtime")
_FIRST_DESCRIPTOR = 16  # above those that a worker's own set-up uses


def library_folders() -> list[str]:
    """The interpreter's and its packages' folders, without symbolic links."""
    names = ("stdlib", "platstdlib", "purelib", "platlib")
    folders = {os.path.realpath(sysconfig.get_path(name)) for name in names}
    return sorted(folder for folder in folders if os.path.isdir(folder))


def readable_paths() -> list[str]:
    """Everything a worker may read: the libraries, and what the C library needs."""
    return [*library_folders(), *_SYSTEM]


def _searchable(folder: Path) -> bool:
    return bool(folder.stat().st_mode & 0o001)


def open_to_others(path: Path) -> bool:
    """Whether any user may reach what lies at `path` (Unix permissions alone)."""
    path = path.resolve()
    return all(_searchable(folder) for folder in (path, *path.parents) if folder.is_dir())


def beside_a_library(path: Path) -> bool:
    """Whether `..` leads from a reopened library folder to `path`: past the closed folder that is
    above both, to all that is open below it (an environment within the course)."""
    path = path.resolve()
    for folder in map(Path, library_folders()):
        if open_to_others(folder):
            continue  # it is not reopened
        while folder != folder.parent and _searchable(folder.parent):
            folder = folder.parent
        if path.is_relative_to(folder):
            return True
    return False


def moved_up(descriptor: int) -> int:
    """The same open file at a number that a worker's own set-up does not use."""
    moved = fcntl.fcntl(descriptor, fcntl.F_DUPFD_CLOEXEC, _FIRST_DESCRIPTOR)
    os.close(descriptor)
    return moved


class Libraries:
    """Makes `sys.path` hold the libraries and nothing else, readable after a change of uid.

    An interpreter may lie in a home of mode 0700 (a pyenv of root's). Its folders can then be
    opened once, with O_PATH, and reached through /proc/self/fd: searching a path that leads
    through the home is no longer needed.

    Args:
        reopened: do so, for a worker of another uid.
    """

    def __init__(self, *, reopened: bool) -> None:
        self.descriptors: list[int] = []
        self._reopened = reopened
        moved = {folder: self._reachable(folder) for folder in library_folders()}
        sys.path[:] = _rebased(sys.path, moved)
        for module in list(sys.modules.values()):
            folders = getattr(module, "__path__", None)
            if isinstance(folders, list):
                folders[:] = _rebased(folders, moved) or folders
        sys.path_importer_cache.clear()

    def _reachable(self, folder: str) -> str:
        if not self._reopened or open_to_others(Path(folder)):
            return folder
        opened = os.open(folder, os.O_PATH | os.O_DIRECTORY)
        descriptor = moved_up(opened)
        self.descriptors.append(descriptor)
        return f"/proc/self/fd/{descriptor}"


def _rebased(paths: list[str], moved: dict[str, str]) -> list[str]:
    """Each path under the library folder that holds it; the others are dropped."""
    result = []
    for path in paths:
        real = os.path.realpath(path)
        holders = [folder for folder in moved if real == folder or real.startswith(folder + "/")]
        if holders:
            holder = max(holders, key=len)
            result.append(moved[holder] + real[len(holder) :])
    return result
