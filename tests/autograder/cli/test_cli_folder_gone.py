"""A command typed in a folder that was deleted meanwhile: it is said, without a traceback."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

INSTALLED = [str(Path(sys.executable).with_name("autograder"))]
MODULE = [sys.executable, "-m", "autograder"]
IN_A_FOLDER_THAT_IS_GONE = 'cd "$1" && rmdir "$1" && shift && exec "$@"'
TYPED = {
    # what is typed → what did not happen
    ("grade", "demo", "class"): "graded",
    ("check", "demo", "class/one"): "graded",
    ("handout", "--all"): "written",
    ("verify", "demo"): "proved",
    ("quiz", "demo"): "written",
    ("package", "demo"): "packaged",
}


def typed_where_nothing_is(tmp_path: Path, command: list[str]) -> subprocess.CompletedProcess[str]:
    gone = tmp_path / "gone"
    gone.mkdir()
    script = ["sh", "-c", IN_A_FOLDER_THAT_IS_GONE, "sh", str(gone), *command]
    return subprocess.run(script, capture_output=True, text=True, timeout=60, check=False)


@pytest.mark.parametrize("typed", TYPED, ids=" ".join)
def test_a_folder_that_is_gone_is_said(tmp_path, typed):
    """Exit 2, what was expected, how to go on and what did not happen."""
    run = typed_where_nothing_is(tmp_path, [*MODULE, *typed])

    assert run.returncode == 2
    assert run.stderr.startswith("the folder that you are in: expected one that is there, got: ")
    assert "go into a folder that is there" in run.stderr
    assert run.stderr.endswith(f" Nothing was {TYPED[typed]}.\n")
    assert "Traceback" not in run.stderr


@pytest.mark.parametrize("program", [INSTALLED, MODULE], ids=["installed", "module"])
def test_what_needs_no_folder_works_where_there_is_none(tmp_path, program):
    """The version and the help are no matter of where one is."""
    run = typed_where_nothing_is(tmp_path, [*program, "--version"])

    assert (run.returncode, run.stderr) == (0, "")
