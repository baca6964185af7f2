"""Every check that the page calls the only killer of a mistake is needed: without it the bundled
assignment's graders are not proved."""

from __future__ import annotations

import ast
import re
import shutil
from collections.abc import Callable
from pathlib import Path

import pytest

from autograder.manifest import Assignment, Course
from autograder.verify.verification import verify

ROOT = Path(__file__).resolve().parents[2]
BUNDLED = "self_attention"
PAGE = (ROOT / "docs/graders.md").read_text(encoding="utf-8")
ONLY_KILLERS = {
    check: names.split(", ")
    for check, names in re.findall(
        r"^- (\w+/\w+): (.*)$",
        PAGE.partition("## Only killers\n")[2].partition("\n## ")[0],
        re.MULTILINE,
    )
}


def copy_of_the_course(root: Path) -> Assignment:
    """The bundled assignment in a course of its own, without its examples."""
    for folder in ("assignments", "solutions", "tests"):
        apart = shutil.ignore_patterns("examples", "written_by_students", "__pycache__")
        shutil.copytree(ROOT / folder / BUNDLED, root / folder / BUNDLED, ignore=apart)
    return Course(root).assignment(BUNDLED)


def cut(path: Path, goes: Callable[[ast.FunctionDef], bool]) -> list[str]:
    """Cut functions out of a file, with their marks; their names."""
    lines = path.read_text(encoding="utf-8").splitlines(keepends=True)
    body = ast.parse("".join(lines)).body
    gone = [node for node in body if isinstance(node, ast.FunctionDef) and goes(node)]
    for node in reversed(gone):
        first = min(one.lineno for one in (node, *node.decorator_list))
        del lines[first - 1 : node.end_lineno]
    path.write_text("".join(lines), encoding="utf-8")
    return [node.name for node in gone]


def delete(check: str, graders: Path) -> None:
    """Cut a check out of its question's graders."""
    question, name = check.split("/")
    for path in graders.glob("test_*.py"):
        if f'question("{question}")' in path.read_text(encoding="utf-8"):
            assert cut(path, lambda node: node.name == f"test_{name}") == [f"test_{name}"]


def leave_only(mistakes: list[str], graders: Path) -> None:
    """Take out all other known answers, and what is excused of them: others judge those."""
    for path in [*graders.glob("variants*.py"), *graders.glob("*.toml")]:
        path.unlink()
    for path in graders.glob("mistakes*.py"):
        cut(path, lambda node: bool(node.decorator_list) and node.name not in mistakes)


def test_the_page_names_only_killers():
    """Of each step there is one, so this file asks something."""
    steps = {question.name for question in Course(ROOT).assignment(BUNDLED).manifest.questions}

    assert {check.partition("/")[0] for check in ONLY_KILLERS} == steps


@pytest.mark.slow
@pytest.mark.parametrize("check", ONLY_KILLERS)
def test_without_an_only_killer_its_mistakes_are_said_to_have_full_marks(check, tmp_path):
    """All of them, by name; with it they are none's."""
    question, mistakes = check.partition("/")[0], ONLY_KILLERS[check]
    assignment = copy_of_the_course(tmp_path)
    leave_only(mistakes, assignment.graders)
    with_it = verify(assignment).problems

    delete(check, assignment.graders)
    without_it = verify(assignment).problems

    assert with_it == []
    assert {problem.what for problem in without_it} == {
        f"no check of {question!r} sees it: it has full marks"
    }
    named = [re.search(r"mistake '(\w+)'\Z", problem.where)[1] for problem in without_it]
    assert named == mistakes
