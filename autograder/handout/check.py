"""Is a handout what its solutions give now, and nothing of them more? Reports; mends nothing."""

from __future__ import annotations

import re
from pathlib import Path

from autograder.handout.folder import Problem, Steps
from autograder.handout.leaks import leak_problems
from autograder.handout.stubs import build_handout, present_stub

_STEP = re.compile(r"step\d+_\w+\.py")


def check_handout(handout: Path, solutions: Path, files: Steps) -> list[Problem]:
    """Stubs that are missing or stale, then whatever shows a solution; empty when all is well.

    Raises:
        CourseError: a reference is missing or cannot be cut, or otter is not installed.
    """
    return [*stale_problems(handout, solutions, files), *leak_problems(handout, solutions, files)]


def stale_problems(handout: Path, solutions: Path, files: Steps) -> list[Problem]:
    """Stubs that are missing, differ from what would be cut now, or belong to no step any more.

    Raises:
        CourseError: a reference is missing or cannot be cut, or otter is not installed.
    """
    command = f"run `autograder handout {handout.name}`"
    problems = []
    for name, expected in build_handout(solutions, files).items():
        path = handout / name
        got = present_stub(path)
        if got is None:
            problems.append(Problem(str(path), "there is no stub that can be read", f"{command}."))
        elif got != expected:
            problems.append(
                Problem(
                    f"{path}:{_first_difference(got, expected)}",
                    f"differs from the stub that {solutions / name} gives now",
                    f"{command}; edit the solution, an edited stub is overwritten.",
                )
            )
    names = {name for _, name in files}
    for path in sorted(handout.glob("step*.py")):
        if _STEP.fullmatch(path.name) and path.name not in names:
            fix = "delete it, or list it in assignment.toml."
            problems.append(Problem(str(path), "belongs to no step of the assignment", fix))
    return problems


def _first_difference(got: str, expected: str) -> int:
    """The number of the first line that differs, counted from 1."""
    pairs = zip(got.split("\n"), expected.split("\n"), strict=False)
    same = 0
    for ours, theirs in pairs:
        if ours != theirs:
            break
        same += 1
    return same + 1
