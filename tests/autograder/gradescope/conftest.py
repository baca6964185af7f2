"""The simulated Gradescope: one clean root for all images, and one image of a tiny autograder."""

from __future__ import annotations

import os
import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest

from .clean_root import build_root, what_is_missing
from .container import Image
from .tiny import build_tiny


@pytest.fixture(scope="session")
def clean_root(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    """A clean root; without one nothing can be simulated, which only a person's machine may do."""
    missing = what_is_missing()
    if missing:
        (pytest.fail if os.environ.get("CI") else pytest.skip)(f"simulated Gradescope: {missing}")
    root = tmp_path_factory.mktemp("gradescope") / "clean"
    build_root(root)
    yield root
    for folder in (root, *root.parent.glob("image-*/root")):  # too large to be kept
        shutil.rmtree(folder)


@pytest.fixture(scope="session")
def image(clean_root: Path) -> Image:
    """The image of the tiny autograder."""
    return build_tiny(clean_root)
