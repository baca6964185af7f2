"""Submissions as a student or a platform would leave them: real folders, real zips."""

from __future__ import annotations

import tracemalloc
import zipfile
from collections.abc import Callable, Iterable, Mapping
from pathlib import Path
from typing import Any

import pytest

from autograder.submissions import Staged, find_submissions

FILES = ("step1_projections.py", "step2_scores.py")
STEP1, STEP2 = FILES
SOURCE = "def project_qkv():\n    return 1\n"


@pytest.fixture
def files() -> tuple[str, str]:
    """The manifest's file names."""
    return FILES


@pytest.fixture
def tree(tmp_path: Path) -> Callable[..., Path]:
    """Write a folder: a name stands for text, bytes or a folder of more names."""

    def write(name: str, content: Mapping[str, Any], parent: Path = tmp_path) -> Path:
        folder = parent / name
        folder.mkdir()
        for inner, value in content.items():
            if isinstance(value, Mapping):
                write(inner, value, folder)
            else:
                data = value if isinstance(value, bytes) else value.encode()
                (folder / inner).write_bytes(data)
        return folder

    return write


@pytest.fixture
def zipped(tmp_path: Path) -> Callable[..., Path]:
    """Write a zip of (name or ZipInfo, content) pairs; the same name may come twice."""

    def write(
        name: str,
        members: Iterable[tuple[str | zipfile.ZipInfo, str | bytes]],
        compression: int = zipfile.ZIP_DEFLATED,
        parent: Path = tmp_path,
    ) -> Path:
        path = parent / name
        with zipfile.ZipFile(path, "w", compression) as archive:
            for member, content in members:
                archive.writestr(member, content)
        return path

    return write


@pytest.fixture
def peak() -> Callable[[Callable[[], object]], int]:
    """The most memory, in bytes, that a call held at once."""

    def measure(call: Callable[[], object]) -> int:
        tracemalloc.start()
        try:
            call()
            return tracemalloc.get_traced_memory()[1]
        finally:
            tracemalloc.stop()

    return measure


@pytest.fixture
def staged() -> Callable[[Path], Staged]:
    """Stage the one submission that stands at a path."""

    def stage(path: Path) -> Staged:
        (submission,) = find_submissions(path, FILES).submissions
        return submission.stage()

    return stage
