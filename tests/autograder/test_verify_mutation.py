"""Mutants against the graders: which are killed, and what is said of those that are not."""

from __future__ import annotations

import os
import random

import pytest

from autograder.errors import CourseError
from autograder.sandbox import LINUX
from autograder.session import with_graders
from autograder.verify import mutation
from autograder.verify.mutation import mutate
from autograder.verify.records import load_records

from .mutable import FILE, solve

forked = pytest.mark.skipif(not LINUX, reason="mutants are run in forked processes")
# Twice 2 is 2 + 2 and 2 ** 2; the public check knows that twice 1 is not 2 + 1.
HOLE = "\n\ndef test_ours(compare):\n    compare.double(np.full((2, 3), 2.0))\n"
SURVIVOR = "return 2 * x", "return 2 ** x"
NEVER_ENDS = """
    left, twice = 2, np.zeros(x.shape)
    while left:
        left -= 1
        twice += x
    return twice
"""
RECORD = """
[[equivalents]]
question = "double"
before = "{before}"
after = "{after}"
reason = "It is."
"""


def tried(course, **options):
    """The report of the course's mutants."""
    records = load_records(course.assignment).equivalents
    return with_graders(
        course.assignment, lambda graders: mutate(graders, records, **{"jobs": 2, **options})
    )


def record(course, before: str, after: str) -> None:
    """Record a mutant as equivalent."""
    path = course.root / "tests/demo/equivalents.toml"
    text = RECORD.format(before=before, after=after)
    course.write("tests/demo/equivalents.toml", path.read_text() + text if path.exists() else text)


def fate_of(report, after: str):
    """What became of the mutant with this line."""
    (found,) = [fate for fate in report.fates if fate.mutant.after == after]
    return found


def told(report, **options) -> list[tuple[str, str]]:
    """Where each problem is, and what."""
    return [(problem.where, problem.what) for problem in report.problems(**options)]


@forked
def test_a_hole_in_a_grader_leaves_a_survivor_that_is_named_with_its_line(course):
    """What no check sees is shown as file, line, the reference's code and the mutant's."""
    solve(course).grade_with(HOLE)

    report = tried(course)

    (survivor,) = report.survivors
    assert str(survivor.mutant) == f"{FILE}:6: `return 2 * x` became `return 2 ** x`"
    assert (survivor.mutant.question, survivor.mutant.function) == ("double", "double")
    assert report.score == len(report.killed) / len(report.fates) < 1
    what = "no check of 'double' sees that `return 2 * x` became `return 2 ** x`"
    assert told(report) == [(f"{FILE}:6", what)]
    assert told(report, least=0.5) == []


@forked
def test_a_grader_without_a_hole_leaves_none(course):
    """Each mutant is killed by checks of its own question, which are named."""
    report = tried(solve(course))

    assert report.fates
    assert (report.survivors, report.score, told(report)) == ([], 1.0, [])
    assert {fate.how for fate in report.fates} == {"checks"}
    assert fate_of(report, "return 2 + x").killers == ("on_paper", "any_length")


@forked
def test_checks_of_other_questions_kill_nothing(course):
    """A step is seen by its own checks, or it is not seen."""
    solve(course).grade_with(HOLE)
    course.grade_with("\n\ndef test_ours(compare):\n    compare.total(np.full(3, 9.0))\n", "total")

    assert [fate.mutant.after for fate in tried(course).survivors] == ["return 2 ** x"]


@forked
def test_an_endless_mutant_is_killed_by_time(course):
    """It costs its own process, and its neighbours go on."""
    report = tried(solve(course, NEVER_ENDS), seconds=3)

    assert fate_of(report, "left -= 0").how == "time"
    assert fate_of(report, "left -= 2").how == "checks"


@forked
def test_a_mutant_that_ends_its_process_is_killed(course):
    """Whatever it does to its process, it is one mutant less."""
    body = "\n    if x is None:\n        os._exit(0)\n    return 2 * x\n"

    report = tried(solve(course, body, "import os\n"))

    assert fate_of(report, "if x is not None:").how == "time"
    assert fate_of(report, "return 2 + x").how == "checks"


@forked
def test_a_mutant_gets_no_more_memory_than_a_worker(course):
    """One that asks for gigabytes fails its check, and nobody else's process is ended for it."""
    body = "\n    return 2 * x + np.zeros(1 + 0 * 10**9)[0]\n"

    report = tried(solve(course, body))

    assert fate_of(report, "return 2 * x + np.zeros(1 + 1 * 10**9)[0]").how == "checks"


@forked
def test_a_module_that_cannot_be_imported_is_killed(course):
    """Students would get nothing for it."""
    head = "# BEGIN SOLUTION\nTWICE = [1, 2][1]\n# END SOLUTION\n"

    report = tried(solve(course, "\n    return TWICE * x\n", head))

    assert fate_of(report, "TWICE = [1, 2][ 2]").how == "import"
    assert fate_of(report, "TWICE = [1, 2][ 2]").mutant.function == ""


@forked
def test_an_equivalent_mutant_with_a_reason_is_not_counted(course):
    """It lowers no score, and it is no survivor."""
    solve(course).grade_with(HOLE)
    record(course, *SURVIVOR)

    report = tried(course)

    (fate,) = report.equivalent
    assert (fate.mutant.after, report.reason_of(fate)) == ("return 2 ** x", "It is.")
    assert (report.survivors, report.score, told(report)) == ([], 1.0, [])


@forked
def test_a_stale_record_is_a_problem(course):
    """A record of a mutant that is killed, or of none, excuses nothing and says so."""
    record(solve(course), *SURVIVOR)
    record(course, "return 3 * x", "return 3 + x")

    report = tried(course)

    where = "tests/demo/equivalents.toml"
    said = "stale record: the mutant `return {} x` of `return {} x` {}"
    assert told(report) == [
        (where, said.format("2 **", "2 *", "is killed (any_length)")),
        (where, said.format("3 +", "3 *", "arises no more")),
    ]
    assert report.equivalent == []


@forked
def test_a_check_that_a_mutant_breaks_is_a_problem_and_no_kill(course):
    """A student with this answer would have no score at all."""
    solve(course).grade_with(
        "\n\ndef test_ours(student):\n    {2: 0}[float(student.double(np.full(1, 1.0))[0])]\n"
    )
    (course.root / "assignments/demo/test_public_double.py").unlink()

    report = tried(course)

    fate = fate_of(report, "return 2 + x")
    assert (fate.how, fate.broken) == ("", ("ours",))
    assert told(report)[0] == (
        "tests/demo: double/ours",
        f"is broken by a mutant of {report.fates[0].mutant}",
    )


@forked
def test_graders_that_fail_the_reference_kill_nothing(course):
    """They would kill all of its mutants, and prove nothing by it."""
    solve(course).grade_with(
        "\n\ndef test_ours(student):\n    assert not student.double(np.ones(1)), 'Not?'\n"
    )

    with pytest.raises(CourseError, match="double/ours: does not pass the reference"):
        tried(course)


@forked
def test_a_fault_of_the_framework_kills_nothing(course, monkeypatch):
    """Only what a mutant does is counted."""

    def fail(megabytes):
        raise OSError("no such limit")

    monkeypatch.setattr(mutation, "_limit_memory", fail)

    with pytest.raises(CourseError, match="could not be graded: OSError: no such limit"):
        tried(solve(course))


@forked
def test_nothing_is_written_left_running_or_drawn_anew(course, processes_of):
    """References stay as they are, and who graded with them before grades with the same again."""
    reference = (solve(course).root / FILE).read_bytes()
    running, state = processes_of(os.getpid()).keys(), random.getstate()

    one_by_one, side_by_side = tried(course, jobs=1), tried(course, jobs=3)

    assert one_by_one == side_by_side
    assert (course.root / FILE).read_bytes() == reference
    assert processes_of(os.getpid()).keys() <= running
    assert random.getstate() == state


@forked
def test_a_solution_without_markers_is_a_problem(course):
    """Where nothing is changed, nothing is proved."""
    assert told(tried(course)) == [
        ("solutions/demo", "cosmic-ray finds nothing to change between the solution markers")
    ]


def test_without_safe_forks_no_mutant_is_run(course, monkeypatch):
    """One that hangs could not be ended."""
    monkeypatch.setattr(mutation, "LINUX", False)

    with pytest.raises(CourseError, match="--level basic"):
        tried(solve(course))
