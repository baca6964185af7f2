"""otter-grader, run on grounds of its own in a process of its own; what it says is read as data."""

from __future__ import annotations

import subprocess
import sys

import msgspec

from autograder.gradescope.folders import Grounds
from autograder.gradescope.grading import OTTER_SECONDS
from autograder.gradescope.spec import Report, decode_report

_PROGRAM = "import sys; from otter.run.run_autograder import main; main(sys.argv[1])"


def run_otter(grounds: Grounds) -> Report | None:
    """Let otter-grader report on what is graded already; None when it failed, and it is said why.

    It sees an empty submission, our notebook, and the verdicts that its plugin of ours hands over.
    """
    otter = grounds.beside("otter")
    otter.graded.symlink_to(grounds.graded)
    try:
        subprocess.run(
            [sys.executable, "-I", "-c", _PROGRAM, str(otter.root)],
            cwd=otter.root,
            stdin=subprocess.DEVNULL,
            timeout=OTTER_SECONDS,
            check=True,
        )
        return decode_report(otter.report.read_bytes())
    except (subprocess.SubprocessError, OSError, msgspec.MsgspecError) as error:
        print(f"otter-grader failed, and its part is left out: {error}", flush=True)
        return None
