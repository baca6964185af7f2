"""The commands of `autograder`, each a thin call into the rooms below."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from autograder import __version__
from autograder.cli.options import (
    AllowWeak,
    AssignmentName,
    CourseOption,
    DeviceName,
    DeviceOption,
    PagesOf,
    Seed,
    VerifyLevel,
)
from autograder.errors import UsageError, undone
from autograder.manifest import Course, find_course

app = typer.Typer(
    name="autograder",
    no_args_is_help=True,
    add_completion=False,
    pretty_exceptions_enable=False,
    rich_markup_mode=None,
)

MOST_ASKED = 30  # of a quiz: an hour
MOST_JOBS = 31  # each may hold two workers for a moment, and a base process has 63 uids


def _print_version(asked: bool) -> None:
    if asked:
        typer.echo(f"attention-autograder {__version__}")
        raise typer.Exit


@app.callback()
def _options(
    version: Annotated[
        bool,
        typer.Option(
            "--version", callback=_print_version, is_eager=True, help="print it, and exit"
        ),
    ] = False,
) -> None:
    """Grade course assignments; student code runs in a confined process of its own."""


def _course(explicit: Path | None) -> Course:
    try:
        here = Path.cwd()
    except OSError as error:
        raise UsageError(
            "the folder that you are in",
            f"expected one that is there, got: {error.strerror or error}",
            "go into a folder that is there (type: cd), such as the course's.",
        ) from None
    return find_course(here, explicit)


@app.command(
    short_help="Grade a class; write results, gradebook and feedback.",
    epilog="example: autograder grade self_attention submissions/ --out grades/monday",
)
def grade(
    assignment: AssignmentName,
    submissions: Annotated[
        Path,
        typer.Argument(metavar="SUBMISSIONS", help="a folder of submissions, a zip, or one file"),
    ],
    out: Annotated[
        Path | None, typer.Option(metavar="DIR", help="default: grades/ASSIGNMENT")
    ] = None,
    jobs: Annotated[
        int | None, typer.Option(min=1, max=MOST_JOBS, metavar="N", help="default: one a core")
    ] = None,
    seed: Seed = None,
    fresh: Annotated[
        bool, typer.Option("--fresh", help="draw new inputs and grade everything again")
    ] = False,
    device: DeviceOption = DeviceName.cpu,
    moment: Annotated[
        PagesOf, typer.Option("--moment", help="write feedback/ as it may be read then")
    ] = PagesOf.now,
    allow_weak: AllowWeak = False,
    course: CourseOption = None,
) -> None:
    """Grade a class, and write results, grades.csv and feedback; goes on where it was stopped."""
    from autograder.cli.grading import ClassOptions, grade_and_write

    here = _course(course)
    options = ClassOptions(
        out=out or here.root / "grades" / assignment,
        jobs=jobs,
        seed=seed,
        fresh=fresh,
        device=device.value,
        moment=moment.value,
        allow_weak=allow_weak,
    )
    raise typer.Exit(grade_and_write(here.assignment(assignment), submissions, options))


@app.command(
    short_help="Grade one submission and print every check.",
    epilog="example: autograder check self_attention submissions/alice -k softmax",
)
def check(
    assignment: AssignmentName,
    submission: Annotated[
        Path, typer.Argument(metavar="SUBMISSION", help="a folder, a zip, or one file")
    ],
    keyword: Annotated[
        str, typer.Option("-k", metavar="EXPR", help="only checks whose names match")
    ] = "",
    seed: Seed = None,
    device: DeviceOption = DeviceName.cpu,
    allow_weak: AllowWeak = False,
    course: CourseOption = None,
) -> None:
    """Grade one submission and print every check; writes nothing."""
    from autograder.cli.grading import check_one

    chosen = _course(course).assignment(assignment)
    raise typer.Exit(
        check_one(
            chosen,
            submission,
            keyword=keyword,
            seed=seed or 0,
            device=device.value,
            allow_weak=allow_weak,
        )
    )


@app.command(
    short_help="Cut the stubs from the solutions, or look for leaks.",
    epilog="example: autograder handout --all --check",
)
def handout(
    assignment: Annotated[str | None, typer.Argument(metavar="ASSIGNMENT")] = None,
    everything: Annotated[bool, typer.Option("--all", help="every assignment")] = False,
    only_check: Annotated[
        bool, typer.Option("--check", help="write nothing; exit 1 when something is stale or leaks")
    ] = False,
    course: CourseOption = None,
) -> None:
    """Cut the stubs in assignments/ from solutions/, and look for solution lines in them."""
    from autograder.cli.handouts import check_handouts, write_handouts

    with undone("Nothing was written."):
        here = _course(course)
        names = here.names() if everything else [assignment] if assignment else []
        if not names or (everything and assignment):
            raise UsageError(
                "autograder handout",
                "expected the name of an assignment, or --all",
                f"choose one of: {', '.join(here.names())}.",
                "Nothing was written.",
            )
        chosen = [here.assignment(name) for name in names]
        raise typer.Exit(check_handouts(chosen) if only_check else write_handouts(chosen))


@app.command(
    short_help="Prove an assignment's graders with right and wrong answers.",
    epilog="example: autograder verify self_attention",
)
def verify(
    assignment: AssignmentName,
    level: Annotated[
        VerifyLevel, typer.Option("--level", help="full: mutants and tolerances as well")
    ] = VerifyLevel.basic,
    runs: Annotated[
        int, typer.Option("--runs", min=1, max=10_000, metavar="N", help="seeds for right answers")
    ] = 1,
    matrix: Annotated[
        Path | None, typer.Option("--matrix", metavar="FILE", help="write the kill matrix as JSON")
    ] = None,
    page: Annotated[
        Path | None,
        typer.Option("--page", metavar="FILE", help="write a page of it, as Markdown"),
    ] = None,
    course: CourseOption = None,
) -> None:
    """Grade the reference, the stubs, every variant and every known mistake; say what is wrong."""
    from autograder.cli.verify import VerifyOptions, verify_and_print

    options = VerifyOptions(level.value, runs, matrix, page)
    with undone("Nothing was proved."):
        raise typer.Exit(verify_and_print(_course(course).assignment(assignment), options))


@app.command(
    short_help="Make a printed sheet of known mistakes, and its key.",
    epilog="example: autograder quiz self_attention --seed 7 --out quizzes/odd-rows",
)
def quiz(
    assignment: AssignmentName,
    out: Annotated[
        Path | None, typer.Option(metavar="DIR", help="default: quizzes/ASSIGNMENT")
    ] = None,
    seed: Annotated[
        int | None,
        typer.Option("--seed", metavar="N", help="which mistakes are asked; default: drawn"),
    ] = None,
    questions: Annotated[
        int,
        typer.Option("--questions", min=1, max=MOST_ASKED, metavar="N", help="two minutes each"),
    ] = 5,
    course: CourseOption = None,
) -> None:
    """Write quiz.html, to print: here is wrong code, which input shows it, and why? And its key."""
    from autograder.cli.quiz import write_quiz

    with undone("Nothing was written."):
        here = _course(course)
        folder = out or here.root / "quizzes" / assignment
        chosen = here.assignment(assignment)
        raise typer.Exit(write_quiz(chosen, folder, seed=seed, count=questions))


@app.command(
    short_help="Make the zip for Gradescope and the zip for students.",
    epilog="example: autograder package self_attention",
)
def package(
    assignment: AssignmentName,
    out: Annotated[
        Path | None, typer.Option(metavar="DIR", help="default: dist, in the course's folder")
    ] = None,
    conda: Annotated[
        bool, typer.Option("--conda", help="keep otter-grader's own set-up (about 4 GB)")
    ] = False,
    torch_index: Annotated[
        str, typer.Option("--torch-index", metavar="URL", help="where pip finds torch for CPUs")
    ] = "",
    unproved: Annotated[
        str,
        typer.Option("--unproved", metavar="REASON", help="why it is packaged all the same"),
    ] = "",
    allow_weak: AllowWeak = False,
    course: CourseOption = None,
) -> None:
    """Make ASSIGNMENT-autograder.zip, to upload, and ASSIGNMENT-handout.zip, to hand out."""
    from autograder.cli.gradescope import package_assignment
    from autograder.gradescope.package import Options

    options = Options(
        torch_index=torch_index, conda=conda, unproved=unproved, allow_weak=allow_weak
    )
    with undone("Nothing was packaged."):
        here = _course(course)
        chosen = here.assignment(assignment)
        raise typer.Exit(package_assignment(chosen, out or here.root / "dist", options))


@app.command(hidden=True)
def gradescope(
    folder: Annotated[Path, typer.Argument(metavar="DIR", help="/autograder")],
    only_grade: Annotated[bool, typer.Option("--only-grade", help="write no results.json")] = False,
) -> None:
    """What run_autograder starts: grade DIR/submission, write DIR/results/results.json."""
    from autograder.cli import gradescope as commands
    from autograder.gradescope.folders import Grounds

    grounds = Grounds(folder.resolve())
    run = commands.only_grade if only_grade else commands.grade_on_platform
    raise typer.Exit(run(grounds))


@app.command(short_help="Say what this machine can isolate.", epilog="example: autograder doctor")
def doctor() -> None:
    """Say what this machine can isolate, and what may be promised for it."""
    from autograder.cli.doctor import diagnose

    raise typer.Exit(diagnose())
