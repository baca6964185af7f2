"""Starts the bundled class before the first test of this folder: it waits for an endless loop on
purpose, and the other tests need not wait with it."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[3]


@dataclass(frozen=True)
class BundledRun:
    """A run over the bundled class, its examples and its output folder."""

    process: subprocess.Popen[str]
    examples: Path
    out: Path


@pytest.fixture(scope="session", autouse=True)
def bundled_run(tmp_path_factory: pytest.TempPathFactory) -> Iterator[BundledRun]:
    """Grade tests/self_attention/examples meanwhile."""
    examples = ROOT / "tests/self_attention/examples"
    out = tmp_path_factory.mktemp("bundled") / "out"
    command = [sys.executable, "-m", "autograder", "grade", "self_attention", examples]
    process = subprocess.Popen(
        [*command, "--out", out, "--jobs", "2"],
        cwd=ROOT,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
    )
    yield BundledRun(process, examples, out)
    process.kill()
    process.communicate()
