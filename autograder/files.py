"""Bytes and text to disk, whole or not at all; knows nothing of what it writes."""

from __future__ import annotations

import contextlib
import os
import secrets
from pathlib import Path

from autograder.errors import CourseError


def write_atomically(path: Path, content: str | bytes) -> None:
    """Replace `path` in one step: a reader sees the old file or the new one, never half of one.

    Raises:
        CourseError: the folder cannot be written or the disk is full; the old file is untouched.
    """
    data = content.encode("utf-8") if isinstance(content, str) else content
    temporary = path.with_name(f".{secrets.token_hex(8)}.tmp")
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        with temporary.open("xb") as file:
            file.write(data)
            file.flush()
            os.fsync(file.fileno())
        temporary.replace(path)
    except BaseException as error:
        with contextlib.suppress(OSError):
            temporary.unlink()
        if not isinstance(error, OSError):
            raise
        raise CourseError(
            path,
            f"could not be written: {error.strerror or error}",
            "make room or make the folder writable, and run the same command again.",
            "What stood there before is unchanged.",
        ) from error
