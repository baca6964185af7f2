"""The public checks of the bundled assignment: what gives points for nothing."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
HANDOUT = ROOT / "assignments/self_attention"
LAZY = {
    # step → a function that gives back what it was given, and never looks at the rest
    1: "project_qkv(x, w_q, w_k, w_v): return {}, {}, {}",
    2: "attention_scores(q, k): return {}",
    3: "scale_scores(scores, d_k): return {}",
    4: "softmax(scores): return {}",
    5: "attention_output(weights, v): return {}",
    6: "self_attention(x, w_q, w_k, w_v): return {}",
}
GIVEN = {1: ("x", "x[..., :3]", "x[..., ::-1]"), 2: ("q", "k"), 5: ("weights", "v"), 6: ("x",)}
GIVEN |= {3: ("scores",), 4: ("scores",)}


@pytest.mark.parametrize(("step", "given"), [(step, one) for step in GIVEN for one in GIVEN[step]])
def test_what_returns_its_argument_passes_no_public_check(tmp_path, step, given):
    """Points are for work."""
    handout = tmp_path / "handout"
    shutil.copytree(HANDOUT, handout, ignore=shutil.ignore_patterns("__pycache__"))
    (stub,) = handout.glob(f"step{step}_*.py")
    stub.write_text("def " + LAZY[step].replace("{}", given) + "\n")
    options = ["-vv", "-p", "no:cacheprovider", "--tb=no", f"test_public_step{step}.py"]

    run = subprocess.run(
        [sys.executable, "-m", "pytest", *options],
        cwd=handout,
        env={**os.environ, "PYTEST_DISABLE_PLUGIN_AUTOLOAD": "1"},
        capture_output=True,
        text=True,
        check=False,
    )

    passed, failed = (
        set(re.findall(rf"^test_\w+\.py::(\w+)(?:\[.*\])? {outcome}", run.stdout, re.M))
        for outcome in ("PASSED", "FAILED")
    )
    assert failed, run.stdout + run.stderr
    assert passed <= failed, "a check passes where all of its cases do"
