"""Results as a person reads them in a terminal: words first, nothing of a student's as markup."""

from __future__ import annotations

import sys
from collections import Counter
from collections.abc import Sequence
from pathlib import Path

from rich.console import Console
from rich.table import Table
from rich.text import Text

from autograder.manifest import Manifest
from autograder.outputs import explain_line, lost_questions
from autograder.results import Check, Outcome, Result
from autograder.shown import WHEN, Moment
from autograder.text import one_line, plain

WIDTH = 160  # characters of a log's line
WIDE = 120

_WORDS = {
    Outcome.PASSED: "passed",
    Outcome.FAILED: "FAILED",
    Outcome.BROKEN: "BROKEN",
    Outcome.SKIPPED: "skipped",
    Outcome.PENDING: "pending",
}


def say_that_it_takes_time(what: str) -> None:
    """To somebody at a terminal, before minutes in which nothing is printed."""
    if sys.stderr.isatty():
        Console(stderr=True).print(what, markup=False, soft_wrap=True)


def output_console() -> Console:
    """Standard output; where it is no terminal, wide enough for one line a submission."""
    return Console(highlight=False, width=None if sys.stdout.isatty() else WIDTH)


def class_table(results: Sequence[Result], width: int) -> Table:
    """One row a submission: its score, the questions that lost points, one line of why.

    Args:
        width: of the console; in a narrow one, `why` alone names the questions.
    """
    wide = width >= WIDE
    table = Table(box=None, pad_edge=False, header_style="bold")
    table.add_column("submission", no_wrap=True, overflow="ellipsis", max_width=40)
    table.add_column("score", justify="right", no_wrap=True)
    if wide:
        table.add_column("lost", overflow="fold")
    table.add_column("why", overflow="fold")
    for result in results:
        lost = Text(", ".join(question.name for question in lost_questions(result)))
        table.add_row(
            Text(one_line(result.submission)),
            score_words(result),
            *([lost] if wide else []),
            Text(explain_line(result)),
        )
    return table


def class_summary(
    results: Sequence[Result], resumed: int, others: int, folder: Path, moment: Moment
) -> str:
    """How many, how well, what is broken, and where it was written.

    Args:
        resumed: of the results, those that were there already.
        others: results in the folder of submissions that were not graded now.
        moment: that feedback was written for.
    """
    scores = [result.score for result in results if result.score is not None]
    lines = ["1 submission" if len(results) == 1 else f"{len(results)} submissions"]
    if scores:
        lines[0] += f", mean {sum(scores) / len(scores):.1f} of {results[0].max_score:g}"
    if resumed:
        lines[0] += f"; {resumed} were graded already (--fresh grades all again)"
    broken = Counter(check.name for result in results for check in result.broken)
    for name, count in broken.most_common():
        lines.append(
            f"BROKEN: {name} in {count} of them. It is ours to fix, and they have no score yet: "
            "read `detail` in results/, mend it, and run the same command again."
        )
    if others:
        lines.append(
            f"results/ and feedback/ also hold {others} of submissions that are not in this class; "
            "grades.csv leaves them out. For a class of its own, choose another --out DIR."
        )
    later = f" (with what is {WHEN[moment]})" if WHEN[moment] else ""
    lines.append(f"wrote {folder}: grades.csv, results/, feedback/{later}")
    return "\n".join(lines)


def score_words(result: Result) -> str:
    """ "85 of 100", or that there is none."""
    score = "no score" if result.score is None else f"{result.score:g}"
    return f"{score} of {result.max_score:g}"


def print_submission(
    console: Console, result: Result, manifest: Manifest, *, complete: bool
) -> None:
    """Every check of one submission, for an instructor.

    Args:
        complete: whether every check was run; a part of them would share the points of all.
    """
    steps = {question.name: manifest.step_of(question) for question in manifest.questions}
    for note in result.notes:
        console.print(f"note: {one_line(note)}", markup=False, soft_wrap=True)
    for question in result.questions:
        earned = "no score" if question.score is None else f"{question.score:g}"
        points = f"{earned} of {question.max_score:g} points" if complete else ""
        console.print(
            f"step {steps[question.name]} · {question.name}  {points}", style="bold", markup=False
        )
        for check in question.checks:
            worth = f"{check.points:g} of {check.out_of:g}"
            _print_check(console, check, f"{worth:>13}  " if complete else " ")
    total = f"score: {score_words(result)}" if complete else "no score: not every check was run"
    console.print(total, style="bold", markup=False)


def _print_check(console: Console, check: Check, worth: str) -> None:
    word = _WORDS[check.outcome]
    console.print(
        f"  {word:<7} {check.visibility:<6} {worth}{check.name}", markup=False, soft_wrap=True
    )
    for line in plain(check.message).splitlines():
        console.print(f"            {line}", markup=False, soft_wrap=True)
    for line in plain(check.detail).splitlines():
        console.print(f"            | {line}", style="dim", markup=False, soft_wrap=True)
