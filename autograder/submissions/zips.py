"""A zip as a source: members are read one by one into memory, nothing is ever extracted."""

from __future__ import annotations

import contextlib
import errno
import os
import re
import stat
import zipfile
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

from autograder.submissions.bounded import BeforeBeginningError, BoundedFile, ReadTooLargeError
from autograder.submissions.names import clean
from autograder.submissions.refusal import Refused
from autograder.submissions.sources import ENTRY_LIMIT, FILE_LIMIT, ZIP_LIMIT, Listing

CONTENTS_LIMIT = 2 * 1024 * 1024  # bytes of a submission's table of contents: 2,000 long names
CLASS_CONTENTS_LIMIT = 256 * 1024 * 1024  # the same for the zip of a class
DEPTH = 6  # folders into which a member is followed; deeper ones are counted, not kept
DEFLATE_SLACK = 64 * 1024  # compressed may be this much larger than the text

_READABLE = (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED)  # the others let a member claim 4 GB
_ENCRYPTED = 0x1
_DRIVE = re.compile(r"[A-Za-z]:")
_AGAIN = "Make the zip again and hand it in."
_TOO_MANY = (
    f"The zip holds more than {ENTRY_LIMIT:,} files. "
    "Hand in the assignment's files alone, without environments, packages or data."
)


@dataclass
class _Folder:
    files: dict[str, list[zipfile.ZipInfo]] = field(default_factory=dict)
    folders: dict[str, _Folder] = field(default_factory=dict)
    members: int = 0

    def folder(self, name: str) -> _Folder:
        """The folder in it, counting one more member."""
        inner = self.folders.setdefault(name, _Folder())
        inner.members += 1
        return inner

    def add(self, info: zipfile.ZipInfo) -> None:
        parts = [part for part in info.filename.split("/", DEPTH) if part not in ("", ".")]
        here = self
        here.members += 1
        for part in parts[:-1]:
            here = here.folder(part)
        if not parts:
            return
        if info.is_dir() or "/" in parts[-1]:
            here.folder(parts[-1].partition("/")[0])
        else:
            here.files.setdefault(parts[-1], []).append(info)


class ZipSource:
    """A zip, or one folder in it."""

    def __init__(
        self, archive: zipfile.ZipFile, folder: _Folder, odd: tuple[str, ...] = ()
    ) -> None:
        self._archive, self._folder, self._odd = archive, folder, odd

    def listing(self, most: int | None = ENTRY_LIMIT) -> Listing:
        """List it; `most` counts every member beneath."""
        if most is not None and self._folder.members + len(self._odd) > most:
            raise Refused(_TOO_MANY)
        members = self._folder.files
        plain = tuple(name for name, infos in members.items() if _is_plain(infos[0]))
        others = tuple(name for name, infos in members.items() if not _is_plain(infos[0]))
        return Listing(plain, tuple(self._folder.folders), others, self._odd)

    def read(self, name: str, limit: int = FILE_LIMIT) -> bytes:
        """Read one member, whatever size it claims to be."""
        info = self._member(name, limit)
        damaged = f"{clean(name)} is damaged inside the zip. {_AGAIN}"
        with _damage_refused(damaged), self._archive.open(info) as member:
            data = member.read(limit + 1)
        if len(data) > limit:
            raise Refused(too_large(name, limit))
        return data

    @contextlib.contextmanager
    def enter(self, name: str) -> Iterator[ZipSource]:
        """Open a folder or a zip in it."""
        if name in self._folder.folders:
            yield ZipSource(self._archive, self._folder.folders[name])
        else:
            yield zip_in_memory(name, self.read(name, ZIP_LIMIT))

    def _member(self, name: str, limit: int) -> zipfile.ZipInfo:
        shown = clean(name)
        infos = self._folder.files.get(name)
        if infos is None:
            raise Refused(f"{shown} is a folder, not a file. Hand in the file itself.")
        info = infos[0]
        if len(infos) > 1:
            raise Refused(
                f"{shown} is in the zip {len(infos)} times, so which one counts is not known. "
                "Make the zip again with one of them."
            )
        if not _is_plain(info):
            raise Refused(not_plain(name))
        if info.flag_bits & _ENCRYPTED:
            raise Refused(f"{shown} is locked with a password. Make the zip again without one.")
        if info.compress_type not in _READABLE:
            raise Refused(
                f"{shown} is compressed in a way that is not read here. "
                "Make the zip again with your computer's own tool."
            )
        if info.compress_size > limit + DEFLATE_SLACK:
            raise Refused(too_large(name, limit))
        return info


def zip_in_memory(name: str, data: bytes) -> ZipSource:
    """A zip that was itself read from a zip.

    Raises:
        Refused: it is no zip, or holds too much.
    """
    file = BoundedFile(lambda size, at: data[at : at + size], len(data), CONTENTS_LIMIT)
    return _source(name, file)


def zip_on_disk(name: str, descriptor: int) -> ZipSource:
    """A zip behind a descriptor that stays the caller's, and open while the source is used.

    Raises:
        Refused: it is no zip, or holds too much.
    """
    size = os.fstat(descriptor).st_size
    file = BoundedFile(lambda count, at: os.pread(descriptor, count, at), size, CONTENTS_LIMIT)
    return _source(name, file)


def zip_at(path: Path) -> ZipSource:
    """The zip an instructor named, of a class perhaps: listed once, opened anew for each read.

    Nothing stays open, and forks may read at the same time.

    Raises:
        Refused: it is no zip.
        OSError: it cannot be read, or (from a later read) it was changed meanwhile.
    """
    first = path.stat()

    def read_at(size: int, at: int) -> bytes:
        with path.open("rb", buffering=0) as file:
            now = os.fstat(file.fileno())
            if (now.st_ino, now.st_size, now.st_mtime_ns) != (
                first.st_ino,
                first.st_size,
                first.st_mtime_ns,
            ):
                raise OSError(errno.ESTALE, "the zip was changed meanwhile")
            return os.pread(file.fileno(), size, at)

    return _source(path.name, BoundedFile(read_at, first.st_size, CLASS_CONTENTS_LIMIT))


def too_large(name: str, limit: int) -> str:
    """What a student reads about a file over the limit."""
    size = f"{limit // 1024} KiB" if limit < 1024**2 else f"{limit // 1024**2} MiB"
    return f"{clean(name)} is larger than {size}. Hand in source text only, without data or output."


def not_plain(name: str) -> str:
    """What a student reads about a link, a pipe or a device."""
    return f"{clean(name)} is a link or a special file. Hand in the file itself."


def _source(name: str, file: BoundedFile) -> ZipSource:
    with _damage_refused(f"{clean(name)} is no zip, or is damaged or cut short. {_AGAIN}"):
        archive = zipfile.ZipFile(file)
    file.largest_read = None  # members are bounded one by one
    root = _Folder()
    odd = []
    for info in archive.infolist():
        if _points_out(info.orig_filename):
            odd.append(info.orig_filename)
        else:
            root.add(info)
    return ZipSource(archive, root, tuple(odd))


@contextlib.contextmanager
def _damage_refused(sentence: str) -> Iterator[None]:
    """Whatever zipfile raises on hostile bytes is the zip's fault; the machine's faults are not."""
    try:
        yield
    except ReadTooLargeError:
        raise Refused(_TOO_MANY) from None
    except BeforeBeginningError:
        raise Refused(sentence) from None
    except (OSError, MemoryError):
        raise
    except Exception:  # zipfile raises a dozen kinds on hostile bytes
        raise Refused(sentence) from None


def _is_plain(info: zipfile.ZipInfo) -> bool:
    return stat.S_IFMT(info.external_attr >> 16) in (0, stat.S_IFREG)


def _points_out(name: str) -> bool:
    """Whether the name would leave the zip's own folder on one system or another."""
    return (
        name.startswith("/")
        or "\\" in name
        or "\0" in name
        or ".." in name.split("/")
        or _DRIVE.match(name) is not None
    )
