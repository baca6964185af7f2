"""What otter-grader needs of an assignment: a test file a question, a notebook that does nothing,
its configuration. The test files hold no test: they fail until our plugin sets the verdicts."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING, Any

from autograder.errors import CourseError
from autograder.gradescope.folders import OTTER_CONFIG, PLUGIN
from autograder.manifest import Assignment, Question

if TYPE_CHECKING:
    from nbformat import NotebookNode

TEST_FILE = '''\
"""{title}: the verdicts come from attention-autograder, not from here."""

from otter.test_files import test_case

OK_FORMAT = False
name = {name!r}
points = {points!r}


@test_case(name="public checks", points=0)
def public_checks():
    raise RuntimeError("Not graded: our fault, not yours.")


@test_case(name="hidden checks", points={points!r}, hidden=True)
def hidden_checks():
    raise RuntimeError("Not graded: our fault, not yours.")
'''
# What keeps its meaning here: student files and stdout never reach otter-grader's own students.
KNOWN_KEYS = frozenset(
    """points_possible score_threshold plugins show_hidden show_all_public
    force_public_test_summary logo print_summary print_score log_level""".split()
)


def write_test_files(folder: Path, assignment: Assignment) -> None:
    """Write one test file for each enabled question."""
    for question in assignment.manifest.enabled_questions:
        number = assignment.manifest.step_of(question)  # otter-grader goes by the files' names
        path = folder / f"{number:02d}_{question.name}.py"
        path.write_text(test_file(question), encoding="utf-8")


def test_file(question: Question) -> str:
    """otter-grader's test file of one question, in its exception-based format."""
    points = 0.0 if question.extra else question.points
    title = json.dumps(question.title, ensure_ascii=False)[1:-1]  # it may hold quotes
    return TEST_FILE.format(title=title, name=question.name, points=points)


def inert_notebook() -> NotebookNode:
    """A notebook without a cell, for the kernel that otter-grader wants to start."""
    import nbformat

    notebook: NotebookNode = nbformat.v4.new_notebook()  # type: ignore[no-untyped-call]
    notebook.metadata["kernelspec"] = {
        "name": "python3",
        "display_name": "Python 3",
        "language": "python",
    }
    return notebook


def otter_config(assignment: Assignment) -> dict[str, Any]:
    """Ours, with what the course's tests/<name>/otter_config.json adds: plugins, thresholds, …

    Raises:
        CourseError: that file is no JSON object, or has a key that has no meaning here.
    """
    path = assignment.graders / OTTER_CONFIG
    own = _course_config(path) if path.exists() else {}
    unknown = sorted(own.keys() - KNOWN_KEYS)
    if unknown:
        raise CourseError(
            path,
            f"expected otter-grader's options that work here, got {unknown[0]!r}",
            f"remove it, or choose of: {', '.join(sorted(KNOWN_KEYS))}.",
            "Nothing was packaged.",
        )
    plugins = own.get("plugins", [])
    # Ours first: the others then see the verdicts.
    return {"lang": "python", "logo": False, **own, "plugins": [PLUGIN, *plugins]}


def _course_config(path: Path) -> dict[str, Any]:
    try:
        config = json.loads(path.read_bytes())
    except (OSError, ValueError) as error:
        problem = f"expected JSON, got: {error}"
    else:
        if isinstance(config, dict) and isinstance(config.get("plugins", []), list):
            return config
        problem = "expected an object of otter-grader's options, and a list of its `plugins`"
    raise CourseError(
        path, problem, "write it as otter-grader's otter_config.json.", "Nothing was packaged."
    )
