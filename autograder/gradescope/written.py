"""The two zips to disk, both or none, by one run at a time; makes neither."""

from __future__ import annotations

import contextlib
import os
from collections.abc import Iterator, Mapping
from pathlib import Path

from autograder.errors import CourseError
from autograder.files import write_atomically

AUTOGRADER = "-autograder.zip"  # holds the hidden graders: nobody else on this machine may read it
_UNDONE = "Nothing was packaged; what stood there before is unchanged."


def write_zips(zips: Mapping[Path, bytes]) -> None:
    """Write all of them or none: a new zip beside an old one would not belong to it.

    Args:
        zips: where → bytes; all in one folder.

    Raises:
        CourseError: the folder cannot be written, the disk is full, or a folder is in the way.
    """
    waiting = {path: path.with_name(f".{path.name}.new") for path in zips}
    with _alone(next(iter(zips)).parent):
        try:
            for path, new in waiting.items():
                _write_beside(path, new, zips[path])
            _put_in_place(waiting)
        finally:
            for new in waiting.values():
                with contextlib.suppress(OSError):
                    new.unlink()


@contextlib.contextmanager
def _alone(out: Path) -> Iterator[None]:
    """Wait for another run that is writing there: the zips of two would not belong together. On a
    disk without locks each zip is whole all the same."""
    import fcntl

    with contextlib.ExitStack() as held:
        with contextlib.suppress(OSError):  # what is wrong with the folder is said on writing
            out.mkdir(parents=True, exist_ok=True)
            folder = os.open(out, os.O_RDONLY | os.O_CLOEXEC)
            held.callback(os.close, folder)
            fcntl.flock(folder, fcntl.LOCK_EX)
        yield


def _write_beside(path: Path, new: Path, data: bytes) -> None:
    if path.is_dir():
        raise CourseError(path, "expected a zip or nothing, got a folder", "remove it.", _UNDONE)
    try:
        write_atomically(new, data)
    except CourseError as error:
        raise CourseError(path, error.problem, error.fix, _UNDONE) from error


def _put_in_place(waiting: Mapping[Path, Path]) -> None:
    for path, new in waiting.items():
        try:
            new.chmod(0o600 if path.name.endswith(AUTOGRADER) else 0o644)
            new.replace(path)
        except OSError as error:
            raise CourseError(
                path,
                f"could not be put in its place: {error.strerror or error}",
                "let no other program write to that folder, and run the same command again.",
                "Use none of the zips there: they may not belong together.",
            ) from error
