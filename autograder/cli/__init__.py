"""The command line: parse, call, print, exit. Nothing is decided here."""

from __future__ import annotations

import os
import sys


def main() -> None:
    """Run one command and exit: 0 done, 1 something is broken or not proved, 2 usage."""
    # Before numpy is imported: the grading process forks, and a fork must find one thread.
    for name in ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS"):
        os.environ.setdefault(name, "1")
    from autograder.cli.app import app
    from autograder.errors import CourseError

    try:
        app(prog_name="autograder")
    except CourseError as error:
        print(error, file=sys.stderr)
        sys.exit(error.exit_code)
    except KeyboardInterrupt:
        print("Stopped. What was graded is kept; the same command goes on.", file=sys.stderr)
        sys.exit(1)
