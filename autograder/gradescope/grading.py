"""One submission on the machine that grades it, with the packaged graders; knows no otter-grader,
and of the platform only the submission's name."""

from __future__ import annotations

import shutil
import subprocess
import sys
from collections.abc import Callable

import msgspec

from autograder.batch import OutputFolder, Plan, grade_class
from autograder.errors import CourseError
from autograder.gradescope.folders import Grounds
from autograder.gradescope.spec import submission_id
from autograder.manifest import Assignment
from autograder.results import Result, read_result
from autograder.sandbox import Confinement, require_promise
from autograder.submissions import Submission, submission_in

PLATFORM_SECONDS = 600  # after which Gradescope ends everything, unless it was told otherwise
STUDENT_SECONDS = 300  # of them, for student code
GRADE_SECONDS = 460  # for all of the grading: what is broken is graded once more
OTTER_SECONDS = 100  # for otter-grader and its kernel


def grade_here(grounds: Grounds, announce: Callable[[Confinement], None]) -> Result:
    """Grade what was handed in, in this process; the result is kept in `grounds.graded`.

    Raises:
        CourseError: the package is damaged, or no isolation fit for it.
    """
    about = grounds.package.about
    assignment = within_platform(grounds.package.assignment)
    folder = OutputFolder(grounds.graded)
    plan = Plan(
        seed=about.seed,
        jobs=1,
        private=(grounds.submission, grounds.graded),
        accept=lambda confinement: require_promise(confinement, allow_weak=about.allow_weak),
        announce=announce,
        report=lambda graded: None,
    )
    with folder.locked():
        return grade_class(assignment, [_submission(grounds, assignment)], folder, plan)[0]


def grade_apart(grounds: Grounds) -> Result:
    """Grade what was handed in, in a process of its own that ends in time.

    Raises:
        CourseError: it came to no result.
    """
    if grounds.graded.exists():  # a run before this one; its result must not pass for this one's
        shutil.rmtree(grounds.graded)
    command = [sys.executable, "-I", "-m", "autograder", "gradescope", "--only-grade"]
    try:
        subprocess.run(
            [*command, str(grounds.root)],
            cwd="/",
            stdin=subprocess.DEVNULL,
            timeout=GRADE_SECONDS,
            check=False,
        )
    except subprocess.TimeoutExpired:
        print(f"grading was ended after {GRADE_SECONDS} seconds", flush=True)
    return result_of(grounds)


def result_of(grounds: Grounds) -> Result:
    """The result that was kept, a broken one too.

    Raises:
        CourseError: there is none.
    """
    path = OutputFolder(grounds.graded).result(_submission(grounds, grounds.package.assignment).id)
    if not path.exists():
        raise CourseError(
            grounds.root,
            "grading came to no result",
            "read what stands above this line; `autograder doctor` says what is isolated here.",
            "What the student handed in is unchanged.",
        )
    return read_result(path)


def _submission(grounds: Grounds, assignment: Assignment) -> Submission:
    files = [question.file for question in assignment.manifest.questions]
    return submission_in(grounds.submission, files, submission_id(grounds.metadata))


def within_platform(assignment: Assignment) -> Assignment:
    """The assignment with no more time for student code than the platform leaves."""
    manifest = assignment.manifest
    seconds = min(manifest.limits.total_seconds, STUDENT_SECONDS)
    limits = msgspec.structs.replace(manifest.limits, total_seconds=seconds)
    changed = msgspec.structs.replace(manifest, limits=limits)
    return Assignment(changed, assignment.handout, assignment.solutions, assignment.graders)
