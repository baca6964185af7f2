"""A read-only file for zipfile that refuses large reads; where the bytes lie is the caller's."""

from __future__ import annotations

import os
from collections.abc import Callable


class ReadTooLargeError(Exception):
    """More was asked for at once than is allowed: a zip's table of contents is too long."""


class BeforeBeginningError(OSError):
    """A position before the first byte; an OSError, since zipfile probes short files that way."""


class BoundedFile:
    """A file of `size` bytes whose position is this object's, so forks may share what is beneath.

    Args:
        read_at: (count, position) → that many bytes.
        size: bytes of the whole.
        largest_read: bytes that one read may ask for, once clipped to the file's end; None: any.
    """

    def __init__(
        self, read_at: Callable[[int, int], bytes], size: int, largest_read: int | None
    ) -> None:
        self.largest_read = largest_read
        self._read_at, self._size = read_at, size
        self._position = 0

    def seekable(self) -> bool:
        """It is."""
        return True

    def tell(self) -> int:
        """Where the next read begins."""
        return self._position

    def seek(self, offset: int, whence: int = os.SEEK_SET) -> int:
        """Move there; beyond the end is allowed, as in any file.

        Raises:
            BeforeBeginningError: it is before the first byte.
        """
        base = {os.SEEK_SET: 0, os.SEEK_CUR: self._position, os.SEEK_END: self._size}[whence]
        if base + offset < 0:
            raise BeforeBeginningError
        self._position = base + offset
        return self._position

    def read(self, size: int | None = -1) -> bytes:
        """Up to `size` bytes, or all the rest.

        Raises:
            ReadTooLargeError: that is more than `largest_read`.
        """
        left = max(self._size - self._position, 0)
        size = left if size is None or size < 0 else min(size, left)
        if self.largest_read is not None and size > self.largest_read:
            raise ReadTooLargeError
        data = self._read_at(size, self._position) if size else b""
        self._position += len(data)
        return data
