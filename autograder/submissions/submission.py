"""One submission that was found but not yet read: its id and the way to it."""

from __future__ import annotations

import contextlib
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from autograder.errors import CourseError
from autograder.submissions.folders import open_folder
from autograder.submissions.names import safe_id
from autograder.submissions.refusal import Refused
from autograder.submissions.sources import Source
from autograder.submissions.staged import Staged
from autograder.submissions.staging import refused, stage


@dataclass(frozen=True)
class Place:
    """Where a submission lies.

    Args:
        where: the path the instructor gave, resolved.
        root: the zip that stands there, already open; None where it is a folder, or in one.
        way: folders and zips to enter from there, by name.
        only: the one file that counts in the folder `where`.
    """

    where: Path
    root: Source | None = None
    way: tuple[str, ...] = ()
    only: str | None = None

    @contextlib.contextmanager
    def open(self) -> Iterator[Source]:
        """Open it for reading.

        Raises:
            Refused: a folder or zip on the way is none, or cannot be opened.
            OSError: `where` cannot be opened.
        """
        with contextlib.ExitStack() as stack:
            source = self.root
            if source is None:
                source = stack.enter_context(open_folder(self.where, self.only))
            for name in self.way:
                source = stack.enter_context(source.enter(name))
            yield source


@dataclass(frozen=True)
class Submission:
    """One submission.

    Args:
        id: its name in results and gradebooks; a safe file name.
        files: the manifest's file names.
        notes: what was noted when it was found.
    """

    id: str
    files: tuple[str, ...]
    place: Place
    notes: tuple[str, ...] = ()

    def stage(self) -> Staged:
        """Read its files, in the process that found it or a fork of it.

        What is wrong with the submission stands in the answer's `problems` and `notes`.

        Raises:
            CourseError: it is no longer there, or the machine cannot read (disk, descriptors).
        """
        staged = self._read()
        return replace(staged, notes=(*staged.notes, *self.notes))

    def _read(self) -> Staged:
        try:
            with self.place.open() as source:
                return stage(self.id, self.files, source)
        except Refused as refusal:
            return refused(self.id, self.files, str(refusal))
        except OSError as error:
            raise CourseError(
                "/".join([str(self.place.where), *self.place.way]),
                f"could not be read: {error.strerror or error}",
                "see that it is still there, and run the same command again.",
                "This submission was not graded.",
            ) from error


def submission_in(folder: Path, files: Sequence[str], id_: str) -> Submission:
    """Whatever lies in `folder` as one submission, never as a class of them.

    Args:
        files: the manifest's file names.
        id_: what a platform calls it.
    """
    return Submission(safe_id(id_), tuple(files), Place(folder.resolve()))
