"""`autograder package`, and what its zip runs on the machine that grades."""

from __future__ import annotations

from pathlib import Path

from autograder.cli.tables import output_console, print_submission, say_that_it_takes_time
from autograder.files import write_atomically
from autograder.gradescope.folders import Grounds
from autograder.gradescope.grading import grade_apart, grade_here
from autograder.gradescope.otter_run import run_otter
from autograder.gradescope.package import Options, package
from autograder.gradescope.report import report_of
from autograder.gradescope.spec import encode_report
from autograder.manifest import Assignment


def package_assignment(assignment: Assignment, out: Path, options: Options) -> int:
    """Write the two zips, and say what is in them."""
    console = output_console()
    say_that_it_takes_time(
        f"packaging {assignment.name}; graders that are not proved as they stand are proved first: "
        "that may take minutes …"
    )
    packaged = package(assignment, out, options)
    for problem in packaged.problems:
        console.print(f"NOT PROVED: {problem}", markup=False, soft_wrap=True)
    if not packaged.problems:
        said = f"{assignment.name}: handout fresh, the reference has full marks, stubs have 0"
        console.print(said, markup=False, soft_wrap=True)
    for remark in packaged.remarks:
        console.print(f"note: {remark}", markup=False, soft_wrap=True)
    for path, use in ((packaged.autograder, "upload it"), (packaged.handout, "hand it out")):
        kilobytes = path.stat().st_size / 1000
        console.print(f"wrote {path} ({kilobytes:,.0f} kB): {use}", markup=False, soft_wrap=True)
    said = f"set on Gradescope: {packaged.settings}"
    console.print(said, markup=False, soft_wrap=True)
    return 0


def grade_on_platform(grounds: Grounds) -> int:
    """Grade the submission that lies in `grounds`, and write results.json for the platform.

    Raises:
        CourseError: it could not be graded; the results.json that says so is in place.
    """
    package_ = grounds.package
    not_graded = package_.not_graded
    grounds.close()
    write_atomically(grounds.report, not_graded)
    manifest = package_.assignment.manifest
    result = grade_apart(grounds)
    print_submission(output_console(), result, manifest, complete=True)
    report = report_of(
        result,
        manifest,
        package_.about,
        otter=run_otter(grounds),
        otter_config=package_.otter_config,
    )
    write_atomically(grounds.report, encode_report(report))
    return 0


def only_grade(grounds: Grounds) -> int:
    """Grade the submission that lies in `grounds`, and keep the result there, for staff."""
    console = output_console()
    grade_here(grounds, lambda confinement: console.print(confinement.line, markup=False))
    return 0
