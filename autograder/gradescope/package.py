"""An assignment → the zip for Gradescope and the zip for students; unproved graders are refused."""

from __future__ import annotations

import json
import tempfile
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import msgspec

from autograder import __version__
from autograder.errors import CourseError, UsageError
from autograder.gradescope import folders
from autograder.gradescope.contents import read_contents, require_unchanged, seed_of
from autograder.gradescope.folders import About
from autograder.gradescope.framework import framework_wheel
from autograder.gradescope.otter_files import (
    inert_notebook,
    otter_config,
    plugin_name,
    write_test_files,
)
from autograder.gradescope.remarks import remarks_of, settings_of
from autograder.gradescope.report import not_graded
from autograder.gradescope.requirements import requirements, torch_index, torch_requirement
from autograder.gradescope.scripts import run_program, scripts
from autograder.gradescope.spec import encode_report
from autograder.gradescope.written import AUTOGRADER, write_zips
from autograder.gradescope.zips import Member, members_of, zipped
from autograder.handout import Problem
from autograder.manifest import Assignment
from autograder.text import one_line
from autograder.verify import handout_problems, prove

_BUILT_IN = "otter.plugins.builtin."
_REASON = 500  # characters


@dataclass(frozen=True, kw_only=True)
class Options:
    """What the command line chose for a package.

    Args:
        torch_index: where the image finds a CPU build of torch.
        conda: keep otter-grader's own setup.sh and run_autograder.
        unproved: why it is packaged all the same.
        allow_weak: the image may grade with less than the promise "strong".
    """

    torch_index: str = ""
    conda: bool = False
    unproved: str = ""
    allow_weak: bool = False


@dataclass(frozen=True)
class Packaged:
    """What was written, what is not proved, what to type into Gradescope's settings, and what else
    an instructor should know."""

    autograder: Path
    handout: Path
    problems: list[Problem]
    settings: str
    remarks: list[str]


def package(assignment: Assignment, out: Path, options: Options) -> Packaged:
    """Write `<name>-autograder.zip` and `<name>-handout.zip` into `out`.

    Raises:
        CourseError: the handout is stale, the graders are not proved and nobody said why that is
            right, the course has a mistake, or a file cannot be written.
    """
    _require_outside(out, assignment)
    contents = read_contents(assignment)
    index = torch_index(assignment, options.torch_index)
    config = otter_config(assignment)
    problems = _problems(assignment)
    reason = one_line(options.unproved, _REASON)
    if problems and not reason:
        raise _not_proved(assignment, problems)
    about = About(
        assignment=assignment.name,
        seed=seed_of(contents.course),
        framework=__version__,
        unproved=reason if problems else "",
        allow_weak=options.allow_weak,
    )
    members = {
        **_for_otter(assignment, config, options, index),
        **contents.course,
        **_ours(assignment, about),
    }
    require_unchanged(contents, assignment)
    unneeded = bool(options.unproved and not problems)
    packaged = Packaged(
        out / f"{assignment.name}{AUTOGRADER}",
        out / f"{assignment.name}-handout.zip",
        problems,
        settings_of(assignment.manifest, config),
        remarks_of(assignment, reason_unneeded=unneeded, conda=options.conda),
    )
    write_zips({packaged.autograder: zipped(members), packaged.handout: zipped(contents.handout)})
    return packaged


def _require_outside(out: Path, assignment: Assignment) -> None:
    """A package among the course's own files would be handed out with the next one."""
    for folder in (assignment.handout, assignment.solutions, assignment.graders):
        if out.resolve().is_relative_to(folder.parent.resolve()):
            raise UsageError(
                out,
                f"the packages would lie in {folder.parent.name}/, and go into the next ones",
                "choose another folder with --out DIR.",
                "Nothing was packaged.",
            )


def _problems(assignment: Assignment) -> list[Problem]:
    """Whatever is not proved; raises `CourseError` where nothing can be."""
    try:
        return [*handout_problems(assignment), *prove(assignment)]
    except CourseError as error:
        raise error.with_undone("Nothing was packaged.") from error


def _not_proved(assignment: Assignment, problems: Sequence[Problem]) -> CourseError:
    return CourseError(
        assignment.name,
        "\n".join(["its handout or its graders are not fit to be used:", *map(str, problems)]),
        "mend what stands above, or say why it is right with --unproved REASON: the reason then "
        "stands in the zip and in every result.",
        "Nothing was packaged.",
    )


def _ours(assignment: Assignment, about: About) -> dict[str, Member]:
    """What the grading machine reads before it looks at a student's file."""
    nothing = encode_report(not_graded(assignment.manifest, about))
    return {
        folders.ABOUT: Member(msgspec.json.format(msgspec.json.encode(about), indent=2)),
        folders.NOT_GRADED: Member(nothing),
        folders.RUN: run_program(),
    }


def _for_otter(
    assignment: Assignment, config: dict[str, Any], options: Options, index: str
) -> dict[str, Member]:
    """otter-grader's own zip, with our environment in the place of conda's."""
    wheel = framework_wheel()
    wheel_name = f"{folders.WHEELS}/{wheel[0]}"
    members = _generated(assignment, config, f"/autograder/source/{wheel_name}", index, options)
    members[wheel_name] = Member(wheel[1])
    members[f"{folders.OTTER_FILES}/{folders.NOTEBOOK}"] = Member(_notebook())
    if not options.conda:
        del members["environment.yml"]
        built_in = any(plugin_name(one).startswith(_BUILT_IN) for one in config["plugins"])
        text = requirements(assignment.manifest, wheel, with_plugins=built_in)
        members[folders.REQUIREMENTS] = Member(text.encode())
        members.update(scripts(index, torch_requirement()))
    return members


def _generated(
    assignment: Assignment, config: Mapping[str, Any], wheel: str, index: str, options: Options
) -> dict[str, Member]:
    """What `otter generate` makes of the test files and the configuration."""
    from otter.generate import main as generate

    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        tests, made = folder / "tests", folder / "autograder.zip"
        tests.mkdir()
        write_test_files(tests, assignment)
        (folder / folders.OTTER_CONFIG).write_text(json.dumps(config), encoding="utf-8")
        (folder / "requirements.txt").write_text(_conda_requirements(wheel, index), "utf-8")
        try:
            generate(
                tests_dir=str(tests),
                output_path=str(made),
                config=str(folder / folders.OTTER_CONFIG),
                requirements=str(folder / "requirements.txt"),
                no_environment=True,
            )
        except Exception as error:  # a plugin is anybody's code
            raise CourseError(
                assignment.graders / folders.OTTER_CONFIG,
                f"otter-grader cannot use it: {type(error).__name__}: {error}",
                "correct it; otter's built-in plugins need: pip install 'otter-grader[plugins]'.",
                "Nothing was packaged.",
            ) from None
        return members_of(made.read_bytes())


def _conda_requirements(wheel: str, index: str) -> str:
    torch = f"--extra-index-url {index}\n{torch_requirement()}\n" if index else ""
    return f"{torch}{wheel}\n"


def _notebook() -> bytes:
    import nbformat

    text: str = nbformat.writes(inert_notebook())  # type: ignore[no-untyped-call]
    return f"{text}\n".encode()
