"""A folder on disk as a source: only plain files are read, only below its descriptor."""

from __future__ import annotations

import contextlib
import errno
import os
import stat
from collections.abc import Iterator
from pathlib import Path

from autograder.submissions.names import clean
from autograder.submissions.refusal import Refused
from autograder.submissions.sources import ENTRY_LIMIT, FILE_LIMIT, Listing, Source
from autograder.submissions.zips import not_plain, too_large, zip_on_disk

_FLAGS = os.O_RDONLY | os.O_CLOEXEC | os.O_NONBLOCK | os.O_NOCTTY
_SPECIAL = (
    errno.ELOOP,
    errno.ENXIO,
    errno.ENODEV,
    errno.EOPNOTSUPP,
)  # what O_NOFOLLOW, sockets and devices give
_FORBIDDEN = (errno.EACCES, errno.EPERM)


class FolderSource:
    """An open folder.

    Args:
        descriptor: of the folder; stays the caller's.
        only: the one name in it that counts; None: all of them.
    """

    def __init__(self, descriptor: int, only: str | None = None) -> None:
        self._descriptor, self._only = descriptor, only

    def listing(self, most: int | None = ENTRY_LIMIT) -> Listing:
        """List it; `most` counts what stands directly in it."""
        if self._only is not None:
            return Listing(files=(self._only,))
        files: list[str] = []
        folders: list[str] = []
        others: list[str] = []
        with os.scandir(self._descriptor) as entries:
            for count, entry in enumerate(entries, start=1):
                if most is not None and count > most:
                    raise Refused(
                        f"The folder holds more than {most:,} files. "
                        "Hand in the assignment's files alone, without data or output."
                    )
                if entry.is_dir(follow_symlinks=False):
                    folders.append(entry.name)
                elif entry.is_file(follow_symlinks=False):
                    files.append(entry.name)
                else:
                    others.append(entry.name)
        return Listing(tuple(files), tuple(folders), tuple(others))

    def read(self, name: str, limit: int = FILE_LIMIT) -> bytes:
        """Read one file of it."""
        with _opened(name, self._descriptor) as (descriptor, status):
            if stat.S_ISDIR(status.st_mode):
                raise Refused(f"{clean(name)} is a folder, not a file. Hand in the file itself.")
            with open(descriptor, "rb", closefd=False) as file:
                data = file.read(limit + 1)
        if len(data) > limit:
            raise Refused(too_large(name, limit))
        return data

    @contextlib.contextmanager
    def enter(self, name: str) -> Iterator[Source]:
        """Open a folder or a zip in it."""
        with _opened(name, self._descriptor) as (descriptor, status):
            if stat.S_ISDIR(status.st_mode):
                yield FolderSource(descriptor)
            else:
                yield zip_on_disk(name, descriptor)


@contextlib.contextmanager
def open_folder(path: Path, only: str | None = None) -> Iterator[FolderSource]:
    """The folder at `path`, which is the instructor's own choice: a link to it is followed.

    Raises:
        OSError: it cannot be opened.
    """
    descriptor = os.open(path, _FLAGS | os.O_DIRECTORY)
    try:
        yield FolderSource(descriptor, only)
    finally:
        os.close(descriptor)


@contextlib.contextmanager
def _opened(name: str, folder: int) -> Iterator[tuple[int, os.stat_result]]:
    """A plain file or a folder, through no link; what a student can cause is refused."""
    try:
        descriptor = os.open(name, _FLAGS | os.O_NOFOLLOW, dir_fd=folder)
    except OSError as error:
        if error.errno in _SPECIAL:
            raise Refused(not_plain(name)) from None
        if error.errno in _FORBIDDEN:
            raise Refused(
                f"{clean(name)} may not be opened: its permissions forbid it. "
                "Make it readable and hand it in again."
            ) from None
        raise
    try:
        status = os.fstat(descriptor)
        if not (stat.S_ISREG(status.st_mode) or stat.S_ISDIR(status.st_mode)):
            raise Refused(not_plain(name))
        yield descriptor, status
    finally:
        os.close(descriptor)
