"""What was written to a folder, as digests: tells a file that was cut short or edited since. Knows
nothing of what stands in it, and keeps no secret: it is against accidents, not against forgery."""

from __future__ import annotations

import contextlib
import hashlib
from pathlib import Path

from autograder.errors import CourseError
from autograder.files import write_atomically

_BETWEEN = "  "  # as sha256sum prints it


class Written:
    """A file of lines `digest  name`, the last one of a name being true.

    A line is added once its file is on disk, and not atomically: a run may be killed between the
    two or within a line. Then nobody vouches for that file, and it is made again.
    """

    def __init__(self, path: Path) -> None:
        self._path = path
        self._read: dict[str, str] | None = None

    def tidy(self) -> None:
        """Leave one whole line a name, in the order in which they were first written."""
        text = "".join(f"{digest}{_BETWEEN}{name}\n" for name, digest in self._digests.items())
        if text != self._text():
            write_atomically(self._path, text)

    def add(self, name: str, data: bytes) -> None:
        """Note that `name` is on disk and holds `data`.

        Raises:
            CourseError: the disk is full, or the file cannot be written.
        """
        digest = hashlib.sha256(data).hexdigest()
        self._digests[name] = digest
        try:
            with self._path.open("a", encoding="utf-8") as file:
                file.write(f"{digest}{_BETWEEN}{name}\n")
        except OSError as error:
            raise CourseError(
                self._path,
                f"could not be written: {error.strerror or error}",
                "make room or make the folder writable, and run the same command again.",
                "What was graded before is kept.",
            ) from error

    def holds(self, name: str, data: bytes) -> bool | None:
        """Whether `name` held just this when it was written; None where nobody knows."""
        digest = self._digests.get(name)
        return None if digest is None else digest == hashlib.sha256(data).hexdigest()

    @property
    def _digests(self) -> dict[str, str]:
        if self._read is None:
            whole = self._text().split("\n")[:-1]  # what follows the last end of a line is none
            parts = (line.partition(_BETWEEN) for line in whole)
            self._read = {name: digest for digest, _, name in parts if name}
        return self._read

    def _text(self) -> str:
        with contextlib.suppress(OSError):
            return self._path.read_text(encoding="utf-8", errors="replace")
        return ""
