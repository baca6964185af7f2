"""What a submission's files can be read from: a flat list of names, and bounded reads by name.

A folder and a zip are such sources; an export that keeps all students' files in one folder can be
one more. What the names mean for an assignment is decided elsewhere.
"""

from __future__ import annotations

from contextlib import AbstractContextManager
from dataclasses import dataclass
from typing import Protocol

FILE_LIMIT = 256 * 1024  # bytes of one source file
ENTRY_LIMIT = 2_000  # names in one submission's folder, members in its zip
ZIP_LIMIT = 16 * 1024 * 1024  # bytes of a zip that lies in another zip: it is read into memory


@dataclass(frozen=True)
class Listing:
    """What stands directly in one place; nothing was opened.

    Args:
        files: plain files.
        folders: folders.
        others: links, pipes, devices.
        odd: members of a zip that point out of it, by their whole names.
    """

    files: tuple[str, ...] = ()
    folders: tuple[str, ...] = ()
    others: tuple[str, ...] = ()
    odd: tuple[str, ...] = ()


class Source(Protocol):
    """One folder, wherever it lies; an OSError out of it is the machine's fault."""

    def listing(self, most: int | None = ENTRY_LIMIT) -> Listing:
        """List it.

        Raises:
            Refused: there is more than `most` in it.
        """
        ...

    def read(self, name: str, limit: int = FILE_LIMIT) -> bytes:
        """Read one plain file of it; never more than `limit` + 1 bytes, never through a link.

        Raises:
            Refused: it is no plain file, is too large or cannot be read.
        """
        ...

    def enter(self, name: str) -> AbstractContextManager[Source]:
        """Open a folder or a zip in it as a source of its own.

        Raises:
            Refused: it is neither, or cannot be opened.
        """
        ...
