"""`autograder doctor`: start a worker, and say what it is confined by."""

from __future__ import annotations

import platform
import sys

import numpy as np
from rich.console import Console

from autograder import __version__
from autograder.sandbox import DEMANDED, PROMISES, Settings, WorkerLimits, open_sandbox

_TRIAL = WorkerLimits(memory_mb=256, cpu_seconds=5)


def diagnose() -> int:
    """Print the isolation line and its promise; always 0: to know is what was asked for."""
    console = Console(highlight=False, soft_wrap=True)
    python = f"Python {platform.python_version()} on {sys.platform}"
    console.print(f"attention-autograder {__version__}, {python}, numpy {np.__version__}")
    sandbox = open_sandbox(Settings())
    try:
        sandbox.spawn(_TRIAL).kill()
        confinement = sandbox.confinement
    finally:
        sandbox.close()
    console.print(confinement.line, markup=False)
    console.print(f"promise: {confinement.promise}: {PROMISES[confinement.promise]}.")
    if confinement.promise == DEMANDED:
        return 0
    console.print(
        f"Hidden grading demands {DEMANDED!r}; here it needs --allow-weak-isolation. "
        "The bundled class is the course's own code and is graded all the same."
    )
    return 0
