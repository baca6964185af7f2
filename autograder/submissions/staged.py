"""One submission's files as text, ready to be sent to a worker; no path of it is left."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from dataclasses import dataclass, field

from autograder.results import Submitter


@dataclass(frozen=True)
class Staged:
    """What was handed in, read once.

    Args:
        submission: its id: its folder's or file's name.
        files: manifest file name → text.
        problems: manifest file name → why it is not in `files`, in words for the student.
        notes: what was accepted under another name, or left alone, for student and instructor.
    """

    submission: str
    files: Mapping[str, str]
    problems: Mapping[str, str] = field(default_factory=dict)
    notes: tuple[str, ...] = ()
    submitters: tuple[Submitter, ...] = ()
    submitted_at: str | None = None

    @property
    def refused(self) -> bool:
        """Nothing of it can be graded: score 0, the reasons in `problems` and `notes`."""
        return not self.files

    @property
    def digest(self) -> str:
        """A hash of the files: the same files always get the same inputs and the same verdict."""
        digest = hashlib.sha256()
        for name in sorted(self.files):
            for part in (name, self.files[name]):
                data = part.encode("utf-8", "surrogatepass")
                digest.update(len(data).to_bytes(8, "big") + data)
        return digest.hexdigest()
