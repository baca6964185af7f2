"""`autograder verify`: prove the graders, and print what sees what."""

from __future__ import annotations

import datetime
from dataclasses import dataclass
from pathlib import Path

import msgspec
from rich.console import Console
from rich.table import Table
from rich.text import Text

from autograder.cli.tables import output_console, say_that_it_takes_time
from autograder.files import write_atomically
from autograder.manifest import Assignment
from autograder.verify import (
    Level,
    Matrix,
    Verification,
    graders_page,
    handout_problems,
    verify,
)


@dataclass(frozen=True)
class VerifyOptions:
    """What the command line chose for a proof."""

    level: Level
    runs: int
    matrix: Path | None
    page: Path | None


def verify_and_print(assignment: Assignment, options: VerifyOptions) -> int:
    """Print the kill matrix and every problem; 1 when there is one."""
    console = output_console()
    say_that_it_takes_time(f"proving the graders of {assignment.name}; this may take minutes …")
    problems = handout_problems(assignment)
    verification = verify(assignment, options.level, options.runs)
    problems += verification.problems
    _print_matrix(console, verification.matrix)
    for problem in problems:
        _say(console, str(problem))
    _say(console, f"{assignment.name}: {_state(verification)}")
    if problems:
        _say(console, f"NOT PROVED: {_counted(len(problems), 'problem')}, named above.")
    else:
        _say(console, "PROVED.")
    if options.matrix is not None:
        data = msgspec.json.format(msgspec.json.encode(verification.matrix), indent=2)
        _write(console, options.matrix, data)
    if options.page is not None and problems:
        _say(console, f"{options.page} was not written: it says what is proved.")
    elif options.page is not None:
        today = datetime.date.today().isoformat()
        _write(console, options.page, graders_page(verification, assignment.manifest, today))
    return 1 if problems else 0


def _state(verification: Verification) -> str:
    """What was looked at, in one line."""
    said = [
        _counted(len(verification.matrix.kills), "mistake"),
        f"{_counted(verification.variants, 'variant')} and the reference in "
        f"{_counted(verification.runs, 'run')}, {_counted(verification.flakes, 'flake')}",
    ]
    mutation = verification.mutation
    if mutation is not None:
        said.append(f"{len(mutation.killed)} of {_counted(len(mutation.fates), 'mutant')} killed")
    if verification.waiting:
        waiting = _counted(verification.waiting, "known answer")
        said.append(f"left out: {waiting} to a question that is not enabled")
    return "; ".join(said)


def _counted(number: int, noun: str) -> str:
    return f"{number} {noun}" if number == 1 else f"{number} {noun}s"


def _print_matrix(console: Console, matrix: Matrix) -> None:
    """How many checks see each mistake, and which are worth a second look."""
    table = Table(box=None, pad_edge=False, header_style="bold")
    for title in ("question", "mistake", "kind"):
        table.add_column(title, overflow="fold")
    table.add_column("checks that see it", overflow="fold")
    for kill in matrix.kills:
        seen = f"{len(kill.checks)} of {len(matrix.checks[kill.question])}"
        only = f", {kill.checks[0]} only" if len(kill.checks) == 1 else ""
        table.add_row(*map(Text, (kill.question, kill.mistake, kill.kind, seen + only)))
    if matrix.kills:
        console.print(table)
    for name in matrix.idle:
        _say(console, f"no known mistake fails {name}: worth a second look")
    for question in matrix.without_mistakes:
        _say(console, f"no known mistake in {question}: none of its checks is known to see one")


def _write(console: Console, path: Path, data: str | bytes) -> None:
    write_atomically(path, data)
    _say(console, f"wrote {path}")


def _say(console: Console, text: str) -> None:
    console.print(text, markup=False, soft_wrap=True)
