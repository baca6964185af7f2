"""torch's compiler is imported for those that are forked, and leaves no trace."""

from __future__ import annotations

import os
import subprocess
import sys

import pytest

PROGRAM = """
import os, sys, threading
from autograder.worker.compiler import import_compiler
import_compiler()
assert "torch._dynamo" in sys.modules
assert threading.active_count() == 1
print(os.environ.get("TORCHINDUCTOR_CACHE_DIR"))
"""


@pytest.mark.parametrize("before", [None, "elsewhere"])
def test_it_leaves_no_folder_no_thread_and_no_setting(tmp_path, before):
    """Whoever grades finds their machine as it was."""
    own = {**os.environ, "TMPDIR": str(tmp_path)}
    own.pop("TORCHINDUCTOR_CACHE_DIR", None)  # this process may have imported it
    said = subprocess.run(
        [sys.executable, "-c", PROGRAM],
        env={**own, "TORCHINDUCTOR_CACHE_DIR": before} if before else own,
        capture_output=True,
        text=True,
        check=True,
    )

    assert said.stdout.strip() == str(before)
    assert list(tmp_path.iterdir()) == []
