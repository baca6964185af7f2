"""Ctrl-C before a command has begun: it ends, and nobody reads a traceback."""

from __future__ import annotations

import subprocess
import sys

import pytest

STOPPED_AT_AN_IMPORT = """
import sys

class Stops:
    def find_spec(name, path=None, target=None):
        if name == {module!r}:
            raise KeyboardInterrupt

sys.meta_path.insert(0, Stops)
sys.argv = ["autograder", "check", "self_attention", "tests/self_attention/examples/right"]
from autograder.cli import main
main()
"""


@pytest.mark.parametrize("module", ["typer", "autograder.manifest", "numpy", "rich.console"])
def test_who_stops_it_at_once_reads_no_traceback(module):
    """Exit 130, as shells expect, wherever it was."""
    program = [sys.executable, "-c", STOPPED_AT_AN_IMPORT.format(module=module)]

    run = subprocess.run(program, capture_output=True, text=True, timeout=60, check=False)

    assert run.returncode == 130, run.stderr
    assert "Traceback" not in run.stderr
