"""What was proved already, by content: nothing is proved twice, and an edit proves nothing."""

from __future__ import annotations

import contextlib
import hashlib
from pathlib import Path

import msgspec

from autograder.errors import CourseError
from autograder.files import write_atomically
from autograder.manifest import Assignment
from autograder.session import assignment_fingerprint

FOLDER = ".autograder"


def is_proved(assignment: Assignment, key: str) -> bool:
    """Whether the content of this key was proved here before."""
    try:
        return msgspec.json.decode(_path(assignment).read_bytes(), type=str) == key
    except (OSError, msgspec.MsgspecError):
        return False


def remember(assignment: Assignment, key: str) -> None:
    """Keep that it is proved; a course that cannot be written is proved again each time.

    Args:
        key: taken before the proof: an edit during it is not proved.
    """
    with contextlib.suppress(CourseError):
        write_atomically(_path(assignment), msgspec.json.encode(key))


def _path(assignment: Assignment) -> Path:
    return assignment.graders.parent.parent / FOLDER / f"{assignment.name}-proved.json"


def content_key(assignment: Assignment) -> str:
    """A hash of all that a proof depends on."""
    digest = hashlib.sha256(assignment_fingerprint(assignment).encode())
    records = assignment.graders.glob("*.toml")
    for path in sorted([*assignment.handout.glob("*.py"), *records]):  # what graders never see
        digest.update(path.name.encode() + b"\0" + path.read_bytes() + b"\0")
    return digest.hexdigest()
