"""Is an assignment's handout fresh, free of solutions and portable? Asked of one assignment."""

from __future__ import annotations

from collections.abc import Iterator

from autograder.handout import Problem, Steps, check_handout, handout_files, portable_problems
from autograder.manifest import Assignment

ARCHIVES = (".zip", ".whl", ".tar", ".gz", ".tgz", ".bz2", ".xz", ".7z", ".rar")


def steps_of(assignment: Assignment) -> Steps:
    """The number and the file of each step."""
    manifest = assignment.manifest
    return [(manifest.step_of(question), question.file) for question in manifest.questions]


def handout_problems(assignment: Assignment) -> list[Problem]:
    """Whatever must be mended before students get the handout; empty when all is well.

    Raises:
        CourseError: a reference is missing or cannot be cut, or otter is not installed.
    """
    steps = steps_of(assignment)
    return [
        *_archives(assignment),
        *check_handout(assignment.handout, assignment.solutions, steps),
        *portable_problems(assignment.handout, steps, assignment.manifest.packages),
    ]


def _archives(assignment: Assignment) -> Iterator[Problem]:
    for path in handout_files(assignment.handout):
        if path.name.casefold().endswith(ARCHIVES):
            fix = "put its files there, or take it out."
            yield Problem(str(path), "is an archive: nobody sees whether it holds solutions", fix)
