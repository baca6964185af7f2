"""`autograder grade` and `autograder check`: from a path to files and a table."""

from __future__ import annotations

import contextlib
import os
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn

from autograder.batch import Graded, OutputFolder, Plan, grade_class
from autograder.cli.tables import (
    class_summary,
    class_table,
    output_console,
    print_submission,
)
from autograder.errors import CourseError, UsageError
from autograder.files import write_atomically
from autograder.grading.devices import CPU, CUDA
from autograder.grading.grading import is_ours, only_submission, sandbox_for
from autograder.manifest import Assignment
from autograder.outputs import GRADES_ENCODING, feedback_markdown, grades_csv
from autograder.results import Result
from autograder.sandbox import Confinement, require_promise
from autograder.session import Graders, assignment_fingerprint, submission_key, with_graders
from autograder.shown import Moment
from autograder.submissions import Submission, find_submissions
from autograder.submissions.names import listed
from autograder.text import one_line


@dataclass(frozen=True)
class ClassOptions:
    """What the command line chose for a class."""

    out: Path
    jobs: int | None
    seed: int | None
    fresh: bool
    device: str
    moment: Moment  # that feedback is written for
    allow_weak: bool


@dataclass
class _Tally:
    """What is counted while a class is graded."""

    resumed: int = 0
    ungraded: int = 0


def grade_and_write(assignment: Assignment, path: Path, options: ClassOptions) -> int:
    """Grade a class and write its files; 1 when a check is broken."""
    console = output_console()
    found = find_submissions(path, [question.file for question in assignment.manifest.questions])
    console.print(f"{one_line(str(path))}: {found.kind}", markup=False, soft_wrap=True)
    if found.ignored:
        left = f"left alone, no submission: {', '.join(found.ignored)}"
        console.print(left, markup=False, soft_wrap=True)
    folder = _output_folder(options.out, path)
    with folder.locked():
        results, tally = _grade(assignment, path, found.submissions, folder, options)
        grades = grades_csv(results, assignment.manifest).encode(GRADES_ENCODING)
        write_atomically(folder.grades, grades)
        others = folder.others([submission.id for submission in found.submissions])
        summary = class_summary(results, tally.resumed, others, folder.root, options.moment)
        console.print(class_table(results, console.width))
    for line in (*_about_changed(folder), summary):
        console.print(line, markup=False, soft_wrap=True)
    return 1 if tally.ungraded else 0


def _grade(
    assignment: Assignment,
    path: Path,
    submissions: Sequence[Submission],
    folder: OutputFolder,
    options: ClassOptions,
) -> tuple[Sequence[Result], _Tally]:
    """Grade them, with a bar that moves and a page for each."""
    seed = folder.seed(assignment.name, chosen=options.seed, fresh=options.fresh)
    tally = _Tally()
    with _progress(len(submissions)) as progress:
        task = progress.add_task("grading", total=len(submissions))

        def accept(confinement: Confinement) -> None:
            if not is_ours(path, assignment):
                require_promise(confinement, allow_weak=options.allow_weak)

        def announce(confinement: Confinement) -> None:
            progress.console.print(confinement.line, markup=False, soft_wrap=True)

        def report(graded: Graded) -> None:
            result = graded.result
            tally.resumed += graded.resumed
            tally.ungraded += result.score is None
            page = feedback_markdown(result, assignment.manifest, moment=options.moment)
            _write_changed(folder.feedback(result.submission), page)
            progress.advance(task)
            progress.refresh()

        private = (path, folder.root)
        jobs = 1 if options.device == CUDA else options.jobs or _cores()  # one GPU, one worker
        plan = Plan(seed, jobs, private, accept, announce, report, options.device)
        return _graded(assignment, submissions, folder, plan), tally


def _about_changed(folder: OutputFolder) -> list[str]:
    """Whoever has changed a result by hand must know that the change is gone."""
    if not folder.changed:
        return []
    return [f"graded again, since results/ were not as they were written: {listed(folder.changed)}"]


def check_one(
    assignment: Assignment,
    path: Path,
    *,
    keyword: str,
    seed: int,
    allow_weak: bool,
    device: str = CPU,
) -> int:
    """Grade one submission in this process and print it; 1 when a check is broken."""
    staged = only_submission(path, assignment).stage()
    console = output_console()

    def work(graders: Graders) -> Result:
        sandbox = sandbox_for(assignment, path, device=device)
        try:
            console.print(sandbox.confinement.line, markup=False, soft_wrap=True)
            if not is_ours(path, assignment):
                require_promise(sandbox.confinement, allow_weak=allow_weak)
            key = submission_key(assignment_fingerprint(assignment, device), staged, seed)
            return graders.grade(staged, sandbox, seed, key)
        finally:
            sandbox.close()

    result = with_graders(assignment, work, keyword=keyword, device=device)
    print_submission(console, result, assignment.manifest, complete=not keyword)
    return 1 if result.score is None else 0


def _output_folder(out: Path, submissions: Path) -> OutputFolder:
    if out.resolve().is_relative_to(submissions.resolve()):
        raise UsageError(
            out,
            "the output folder would lie among the submissions",
            "choose another with --out DIR.",
        )
    return OutputFolder(out)


def _graded(
    assignment: Assignment, submissions: Sequence[Submission], folder: OutputFolder, plan: Plan
) -> Sequence[Result]:
    try:
        return grade_class(assignment, submissions, folder, plan)
    except KeyboardInterrupt:
        raise CourseError(
            folder.root,
            "you stopped it",
            "run the same command again, and it goes on from here.",
            "What was graded is kept; grades.csv was not written.",
        ) from None


def _write_changed(path: Path, text: str) -> None:
    with contextlib.suppress(OSError, UnicodeDecodeError):
        if path.read_text(encoding="utf-8") == text:
            return
    write_atomically(path, text)


def _progress(total: int) -> Progress:
    """A bar on standard error, redrawn by hand: a thread of its own must not meet a fork."""
    return Progress(
        TextColumn("{task.description}"),
        BarColumn(),
        MofNCompleteColumn(),
        TimeElapsedColumn(),
        console=Console(stderr=True, highlight=False),
        auto_refresh=False,
        transient=True,
        disable=total == 0,
    )


def _cores() -> int:
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
