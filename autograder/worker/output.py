"""What student code prints, kept up to a bound; the rest is dropped, and printing costs nothing."""

from __future__ import annotations

import contextlib
import io
import sys
from typing import Any

KEPT_BYTES = 8_192


class _Bounded(io.RawIOBase):
    """Accepts every write and keeps the first bytes."""

    def __init__(self, limit: int) -> None:
        self._limit = limit
        self._kept = bytearray()
        self._dropped = False

    def writable(self) -> bool:
        return True

    def write(self, data: Any) -> int:
        room = self._limit - len(self._kept)
        self._kept += memoryview(data).cast("B")[: max(room, 0)]
        self._dropped = self._dropped or len(data) > room
        return len(data)

    def take(self) -> str:
        text = self._kept.decode("utf-8", "replace")
        if self._dropped:
            text += "\n[more was printed; it is not shown]"
        self._kept.clear()
        self._dropped = False
        return text


class CapturedOutput:
    """Stands in for standard output and standard error."""

    def __init__(self, limit: int = KEPT_BYTES) -> None:
        self._sink = _Bounded(limit)
        self._stream = io.TextIOWrapper(io.BufferedWriter(self._sink), "utf-8", "replace")

    def install(self) -> None:
        """Take the place of `sys.stdout` and `sys.stderr`, where warnings go too."""
        sys.stdout = sys.stderr = self._stream

    def take(self) -> str:
        """What was printed since the last call."""
        with contextlib.suppress(ValueError):  # student code closed the stream
            self._stream.flush()
        return self._sink.take()
