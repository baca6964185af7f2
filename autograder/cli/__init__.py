"""The command line: parse, call, print, exit. Nothing is decided here."""

from __future__ import annotations

import io
import os
import sys

LONGEST_ERROR = 20_000


STOPPED = 130  # as shells say it of Ctrl-C


def main() -> None:
    """Run one command and exit: 0 done, 1 broken or not proved, 2 usage, 130 stopped by Ctrl-C."""
    try:
        _run()
    except KeyboardInterrupt:  # while a command's modules were imported: nothing was begun
        sys.exit(STOPPED)


def _run() -> None:
    # Before numpy is imported: the grading process forks, and a fork must find one thread.
    for name in ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS"):
        os.environ[name] = "1"
    from autograder.cli.app import app
    from autograder.errors import CourseError
    from autograder.text import plain

    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="replace")  # a terminal without √ still gets its table
    try:
        app(prog_name="autograder")
    except CourseError as error:
        print(plain(str(error), LONGEST_ERROR), file=sys.stderr)
        sys.exit(error.exit_code)
