"""`autograder verify`: prove the graders, and print what sees what."""

from __future__ import annotations

import datetime
from collections import Counter
from dataclasses import dataclass
from pathlib import Path

import msgspec
from rich.console import Console
from rich.table import Table
from rich.text import Text

from autograder.cli.tables import output_console
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
    verification = verify(assignment, options.level, options.runs)
    problems = [*handout_problems(assignment), *verification.problems]
    _print_matrix(console, verification.matrix)
    _write(console, assignment, options, verification)
    for problem in problems:
        _say(console, str(problem))
    _say(console, f"{assignment.name}: {_state(verification)}")
    if problems:
        _say(console, f"NOT PROVED: {len(problems)} problems, named above.")
    return 1 if problems else 0


def _state(verification: Verification) -> str:
    """What was looked at, in one line."""
    said = [
        f"{len(verification.matrix.kills)} mistakes",
        f"{verification.variants} variants and the reference in {verification.runs} runs, "
        f"{verification.flakes} flakes",
    ]
    mutation = verification.mutation
    if mutation is not None:
        said.append(f"{len(mutation.killed)} of {len(mutation.fates)} mutants killed")
    return "; ".join(said)


def _write(
    console: Console, assignment: Assignment, options: VerifyOptions, verification: Verification
) -> None:
    if options.matrix is not None:
        data = msgspec.json.format(msgspec.json.encode(verification.matrix), indent=2)
        write_atomically(options.matrix, data)
        _say(console, f"wrote {options.matrix}")
    if options.page is not None:
        today = datetime.date.today().isoformat()
        write_atomically(options.page, graders_page(verification, assignment.manifest, today))
        _say(console, f"wrote {options.page}")


def _print_matrix(console: Console, matrix: Matrix) -> None:
    """How many checks see each mistake, and which are worth a second look."""
    table = Table(box=None, pad_edge=False, header_style="bold")
    for title in ("question", "mistake", "kind"):
        table.add_column(title, overflow="fold")
    table.add_column("checks that see it", overflow="fold")
    sizes = {question: len(checks) for question, checks in matrix.checks.items()}
    for kill in matrix.kills:
        seen = f"{len(kill.checks)} of {sizes[kill.question]}"
        only = f", {kill.checks[0]} only" if len(kill.checks) == 1 else ""
        table.add_row(*map(Text, (kill.question, kill.mistake, kill.kind, seen + only)))
    console.print(table)
    for name in matrix.idle:
        _say(console, f"no known mistake fails {name}: worth a second look")
    counts = Counter(kill.question for kill in matrix.kills)
    for question in matrix.checks.keys() - counts.keys():
        _say(console, f"no known mistake in {question}")


def _say(console: Console, text: str) -> None:
    console.print(text, markup=False, soft_wrap=True)
