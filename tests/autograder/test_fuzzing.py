"""Ten times as many examples of every property that asks for them, in a process of its own."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from .fuzzing import THOROUGH

HERE = Path(__file__).parent
FILES = sorted(path for path in HERE.rglob("test_*.py") if "@examples(" in path.read_text())


def test_the_files_that_ask_for_examples_are_found():
    """Both ends of the wire, what stands in files, and what is compared."""
    assert {path.parent.name for path in FILES} >= {"wire", "manifest", "submissions", "grading"}


@pytest.mark.slow
@pytest.mark.long
@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_every_property_holds_of_many_more_examples(path):
    """What few examples do not find, more of them may."""
    command = [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider"]

    run = subprocess.run(
        [*command, f"--hypothesis-profile={THOROUGH}", "-m", "not slow", str(path)],
        cwd=HERE.parents[1],
        capture_output=True,
        text=True,
        check=False,
    )

    assert run.returncode == 0, run.stdout[-20_000:] + run.stderr[-2_000:]
