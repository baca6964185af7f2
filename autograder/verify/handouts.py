"""Is an assignment's handout fresh, free of solutions and portable? Asked of one assignment."""

from __future__ import annotations

from autograder.handout import Problem, Steps, check_handout, portable_problems
from autograder.manifest import Assignment


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
        *check_handout(assignment.handout, assignment.solutions, steps),
        *portable_problems(assignment.handout, steps, assignment.manifest.packages),
    ]
