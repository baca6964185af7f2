"""The reference gets full marks, the untouched stubs none: the least that graders must prove."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from autograder.grading.grading import sandbox_for
from autograder.handout import Problem
from autograder.manifest import Assignment
from autograder.results import Check, Outcome, Result
from autograder.sandbox import Sandbox
from autograder.scoring import uncarried
from autograder.session import Graders
from autograder.submissions import submission_in
from autograder.text import last_line, one_line

SEED = 0


def base_problems(graders: Graders) -> list[Problem]:
    """Grade the reference and the stubs, each in confined workers; what the graders get wrong.

    Raises:
        CourseError: there is no sandbox.
    """
    assignment = graders.assignment
    sandbox = sandbox_for(assignment)
    try:
        reference = _graded(graders, sandbox, assignment.solutions)
        stubs = _graded(graders, sandbox, assignment.handout)
    finally:
        sandbox.close()
    return [*_not_full(reference, assignment), *_not_empty(stubs, assignment)]


def _graded(graders: Graders, sandbox: Sandbox, folder: Path) -> Result:
    files = [question.file for question in graders.assignment.manifest.questions]
    staged = submission_in(folder, files, folder.parent.name).stage()
    return graders.grade(staged, sandbox, SEED, "")


def _not_full(result: Result, assignment: Assignment) -> Iterator[Problem]:
    for where, check in _checks(result, assignment):
        if check.outcome is Outcome.BROKEN:
            yield _broken(where, check, assignment, "the reference", assignment.solutions)
        elif check.outcome is Outcome.FAILED:
            what = f"fails the reference: {one_line(check.message)}"
            fix = f"run `autograder check {assignment.name} solutions/{assignment.name}`."
            yield Problem(where, what, fix)
    for question in result.questions:
        if uncarried(question) or all(one.outcome is Outcome.SKIPPED for one in question.checks):
            where = f"tests/{assignment.name}: {question.name}"
            fix = "do it on a machine that can run one of its checks."
            yield Problem(where, "could not run here, so it gives the reference no points", fix)


def _not_empty(result: Result, assignment: Assignment) -> Iterator[Problem]:
    for where, check in _checks(result, assignment):
        if check.outcome is Outcome.BROKEN:
            yield _broken(where, check, assignment, "the untouched stub", assignment.handout)
        elif check.outcome is Outcome.PASSED and check.points:
            what = f"gives {check.points:g} points to the untouched stub"
            yield Problem(where, what, "let the check call the function, and look at its value.")


def _broken(where: str, check: Check, assignment: Assignment, whom: str, folder: Path) -> Problem:
    command = f"autograder check {assignment.name} {folder.parent.name}/{folder.name}"
    fix = f"run `{command} -k {check.name}`; it says why."
    return Problem(where, f"is broken for {whom}: {last_line(check.detail)}", fix)


def _checks(result: Result, assignment: Assignment) -> Iterator[tuple[str, Check]]:
    for question in result.questions:
        for check in question.checks:
            yield f"tests/{assignment.name}: {question.name}/{check.name}", check
