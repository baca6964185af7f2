"""`autograder handout`: write the stubs, or say what is wrong with them."""

from __future__ import annotations

from collections.abc import Sequence

from rich.console import Console

from autograder.handout import write_handout
from autograder.manifest import Assignment
from autograder.verify import handout_problems, steps_of

_console = Console(highlight=False, soft_wrap=True, markup=False)


def write_handouts(assignments: Sequence[Assignment]) -> int:
    """Cut every stub anew; writes only what changed."""
    for assignment in assignments:
        written = write_handout(assignment.handout, assignment.solutions, steps_of(assignment))
        what = ", ".join(written) if written else "nothing to do, every stub is fresh"
        _console.print(f"{assignment.name}: {what}")
    return 0


def check_handouts(assignments: Sequence[Assignment]) -> int:
    """Print every problem; 1 when there is one."""
    found = 0
    for assignment in assignments:
        problems = handout_problems(assignment)
        for problem in problems:
            _console.print(str(problem))
        found += len(problems)
        state = f"{len(problems)} problems" if problems else "fresh, no solution in it, portable"
        _console.print(f"{assignment.name}: {state}")
    return 1 if found else 0
