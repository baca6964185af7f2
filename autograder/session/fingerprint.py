"""The content key that makes resuming safe: equal keys mean that grading again gives the same."""

from __future__ import annotations

import hashlib
import platform
from collections.abc import Iterable
from importlib import metadata
from pathlib import Path

import autograder
from autograder.grading.devices import CPU
from autograder.manifest import Assignment
from autograder.submissions import Staged


def assignment_fingerprint(assignment: Assignment, device: str = CPU) -> str:
    """A hash of all that decides a verdict but the submission: graders, references, manifest,
    framework, Python, packages and device."""
    digest = hashlib.sha256()
    given, packages = assignment.manifest.given, {"numpy", *assignment.manifest.packages}
    for label, folder, files in (
        ("graders", assignment.graders, assignment.graders.glob("*.py")),
        ("shared", assignment.graders.parent, assignment.graders.parent.glob("conftest.py")),
        ("handout", assignment.handout, assignment.handout.glob("test_*.py")),
        ("given", assignment.handout, [assignment.handout / one.file for one in given]),
        ("manifest", assignment.handout, assignment.handout.glob("*.toml")),
        ("solutions", assignment.solutions, assignment.solutions.rglob("*.py")),
        ("framework", _framework(), _framework().rglob("*.py")),
    ):
        _add(digest, label, folder, files)
    digest.update(device.encode() + b"\0")
    for version in (platform.python_version(), *map(metadata.version, sorted(packages))):
        digest.update(version.encode() + b"\0")
    return digest.hexdigest()


def submission_key(fingerprint: str, staged: Staged, seed: int) -> str:
    """The key of one submission's result: of all that stands in it, but for times."""
    said = (sorted(staged.problems.items()), staged.notes, staged.submitters, staged.submitted_at)
    text = f"{fingerprint}\0{staged.submission}\0{staged.digest}\0{said}\0{seed}"
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()


def _framework() -> Path:
    return Path(autograder.__file__).parent


def _add(digest: hashlib._Hash, label: str, folder: Path, files: Iterable[Path]) -> None:
    for path in sorted(files):
        data = path.read_bytes()
        name = f"{label}/{path.relative_to(folder).as_posix()}"
        digest.update(f"{name}\0{len(data)}\0".encode() + data)
