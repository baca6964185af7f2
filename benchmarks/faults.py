"""Disturbs the grading of a class in every way that was thought of, at random moments, and grades
again: then everything must be as if nothing had happened.

After the faults the same command completes, and its gradebook, results and feedback equal those of
an undisturbed run. Nobody is lost, graded twice with different scores, or scored 0 because of us.

A process is killed many times in one class, once in each part of it: the runner is then started
anew, and goes on where it was. Other faults are made once in a class.

usage: python benchmarks/faults.py [--submissions 200] [--times 20] [--classes 1] [--only NAME]
"""

from __future__ import annotations

import argparse
import secrets
import signal
import sys
import tempfile
from dataclasses import dataclass, field
from pathlib import Path
from random import Random

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))  # when run as a program

from autograder.manifest import find_course
from benchmarks.attempt import Attempt, attempt
from benchmarks.classroom import NEVER_THE_SAME, Classroom
from benchmarks.fault_kinds import FAULTS, Fault
from benchmarks.throughput import NAME, ROOT, make_class

COLUMNS = {
    "times": "that it was made",
    "too_late": "the run had nothing more to do by then",
    "broken": "submissions without a score, for our fault, before the second run",
    "again": "graded twice, with the same score",
    "lost": "without a result after the second run",
    "different": "another score, result or page than undisturbed, before or after it",
    "zero": "scored 0 because of us, before or after it",
    "other": "exit status, words, half-written files, gradebook, processes left",
}


@dataclass
class Counts:
    """What came of one kind of fault, by COLUMNS; and what was wrong, in words."""

    numbers: dict[str, int] = field(default_factory=lambda: dict.fromkeys(COLUMNS, 0))
    problems: list[str] = field(default_factory=list)

    @property
    def row(self) -> str:
        """Under `HEAD`."""
        return "".join(f"{number:>10}" for number in self.numbers.values())


HEAD = "".join(f"{name.replace('_', ' '):>10}" for name in COLUMNS)


def main() -> None:
    """Disturb, grade again, count and print; exits with 1 where anything was not as it must be."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--submissions", type=int, default=200, help="in the class")
    parser.add_argument("--times", type=int, default=20, help="that a process is killed in one")
    parser.add_argument("--classes", type=int, default=1, help="that each fault is made in")
    parser.add_argument("--seed", type=int, help="of the moments; drawn where none is given")
    parser.add_argument("--only", choices=[fault.name for fault in FAULTS], help="one kind")
    options = parser.parse_args()
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(1))  # no disk stays mounted
    seed = secrets.randbits(32) if options.seed is None else options.seed
    chosen = [fault for fault in FAULTS if options.only in (None, fault.name)]
    with tempfile.TemporaryDirectory(prefix="faults-") as folder:
        assignment, place = find_course(ROOT).assignment(NAME), Path(folder, "class")
        make_class(assignment, place, options.submissions, leave_out=NEVER_THE_SAME)
        classroom = Classroom(ROOT, NAME, place, Path(folder))
        print(f"{options.submissions} submissions, --seed {seed}\n{'':<24}{HEAD}", flush=True)
        problems = [
            problem
            for fault in chosen
            for problem in counted(classroom, fault, seed, options.classes, options.times)
        ]
    for name, meaning in COLUMNS.items():
        print(f"{name.replace('_', ' '):>10}: {meaning}")
    print(f"{len(problems)} problems" if problems else "after each, all was as if undisturbed")
    sys.exit(1 if problems else 0)


def counted(classroom: Classroom, fault: Fault, seed: int, classes: int, times: int) -> list[str]:
    """Make one kind of fault and print what came of it; what was wrong."""
    missing = fault.why_not()
    counts = Counts() if missing else disturb(classroom, fault, seed, classes, times)
    print(f"{fault.name:<24}" + (f" not here: {missing}" if missing else counts.row))
    print("".join(f"  {problem}\n" for problem in counts.problems), end="", flush=True)
    return counts.problems


def disturb(
    classroom: Classroom, fault: Fault, seed: int, classes: int = 1, times: int = 1
) -> Counts:
    """Make one kind of fault, and count what comes of it.

    Args:
        seed: of the moments.
        classes: how often the class is graded from the beginning.
        times: how often the fault is made in each of them, if it is of a kind that repeats.
    """
    counts = Counts()
    for number in range(classes):
        chance = Random(f"{seed} {fault.name} {number}")
        with attempt(classroom, chance, times if fault.repeats else 1) as tried:
            fault.make(tried)
            tried.grade_again()
            _count(counts, fault, tried)
    return counts


def _count(counts: Counts, fault: Fault, tried: Attempt) -> None:
    numbers = counts.numbers
    numbers["times"] += tried.times
    numbers["too_late"] += tried.too_late
    numbers["broken"] += sum(score is None for score in tried.before.scores.values())
    numbers["again"] += len(tried.graded_again)
    for kind, found in tried.violations().items():
        numbers[kind] += len(found)
        counts.problems += [f"{fault.name}, at {tried.moment}: {kind}: {one}" for one in found]


if __name__ == "__main__":
    main()
