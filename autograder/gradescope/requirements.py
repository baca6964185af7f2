"""What the image installs: pinned and hashed, from files that come with the framework (`make lock`
writes them), so that packaging needs no network and the image is the same next year."""

from __future__ import annotations

import hashlib
import re
from importlib import resources

from autograder.errors import CourseError, UsageError
from autograder.gradescope.folders import WHEELS
from autograder.manifest import Assignment, Manifest

_TORCH = "torch"
_URL = re.compile(r"(?:https?|file)://\S+")


def requirements(manifest: Manifest, wheel: tuple[str, bytes], *, with_plugins: bool) -> str:
    """The text of requirements.txt.

    Args:
        wheel: the framework's, its name and bytes; it lies in `wheels/` of the zip.
        with_plugins: otter-grader's built-in plugins are used.
    """
    parts = ["grading", *["plugins"] * with_plugins, *["torch"] * needs_torch(manifest)]
    name, data = wheel
    digest = hashlib.sha256(data).hexdigest()
    return "".join(map(_locked, parts)) + f"./{WHEELS}/{name} --hash=sha256:{digest}\n"


def needs_torch(manifest: Manifest) -> bool:
    """Whether the assignment is one in PyTorch."""
    return _TORCH in manifest.packages


def torch_requirement() -> str:
    """The version of torch that is tested, such as "torch==2.13.0"."""
    return _locked("torch").splitlines()[-1].lstrip("# ")


def torch_index(assignment: Assignment, option: str) -> str:
    """Where the image finds a CPU build of torch; "" for an assignment without torch.

    Args:
        option: of the command line; the manifest's stands in for it.

    Raises:
        CourseError: torch is needed and no index is named, or no address of one.
        UsageError: an index is named and torch is not needed.
    """
    undone = "Nothing was packaged."
    if not needs_torch(assignment.manifest):
        if not option:
            return ""
        raise UsageError(
            "--torch-index",
            f"{assignment.name} does not use torch",
            "leave the option out.",
            undone,
        )
    index = option or assignment.manifest.gradescope.torch_index
    if _URL.fullmatch(index):
        return index
    got = f"got {index!r}" if index else "got none"
    raise CourseError(
        f"{assignment.name} uses torch",
        f"expected a package index with a CPU build of {torch_requirement()}, {got}: "
        "from pip's default index the image would get a CUDA build of several gigabytes",
        "name it with --torch-index URL, or `torch_index` under [gradescope] in assignment.toml.",
        undone,
    )


def _locked(name: str) -> str:
    text = (resources.files(__package__) / "locked" / f"{name}.txt").read_text(encoding="utf-8")
    return text if text.endswith("\n") else f"{text}\n"
