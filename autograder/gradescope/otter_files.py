"""What otter-grader needs of an assignment: a test file a question, a notebook that does nothing,
its configuration. The test files hold no test: they fail until our plugin sets the verdicts."""

from __future__ import annotations

import codecs
import json
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, cast

import msgspec
from msgspec import Meta

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
RATE_LIMITING = "otter.plugins.builtin.RateLimiting"
PERIODS = "weeks days hours minutes seconds milliseconds microseconds".split()
Plugin = str | Annotated[dict[str, Any], Meta(min_length=1, max_length=1)]


class OtterOptions(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """otter-grader's options that keep their meaning here: it is shown neither a student's files
    nor what is printed."""

    points_possible: Annotated[float, Meta(gt=0)] | None = None
    score_threshold: Annotated[float, Meta(ge=0, le=1)] | None = None  # a fraction of all points
    plugins: list[Plugin] = []
    show_hidden: bool = False
    show_all_public: bool = False
    force_public_test_summary: bool = True
    logo: bool = False
    print_summary: bool = True
    print_score: bool = True
    log_level: int | None = None


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
        CourseError: that file is no JSON object, has a key that has no meaning here, or a value
            that its key does not take.
    """
    path = assignment.graders / OTTER_CONFIG
    own = _course_config(path) if path.exists() else {}
    if own.get("show_hidden") and assignment.manifest.feedback.hidden_points == "never":
        raise CourseError(
            path,
            'expected no `show_hidden`, since hidden_points = "never" in assignment.toml',
            "take one of them out: otter-grader would show what is never to be shown.",
            "Nothing was packaged.",
        )
    for plugin in own.get("plugins", []):
        _require_a_limit(plugin, path)
    # Ours first: the others then see the verdicts. Once only: it takes the student's files away.
    others = [one for one in own.get("plugins", []) if plugin_name(one) != PLUGIN]
    return {"lang": "python", "logo": False, **own, "plugins": [PLUGIN, *others]}


def _require_a_limit(plugin: str | dict[str, Any], path: Path) -> None:
    """otter-grader's rate limiting fails or limits nothing without a number and a period."""
    if plugin_name(plugin) != RATE_LIMITING:
        return
    options = plugin[RATE_LIMITING] if isinstance(plugin, dict) else {}
    periods = [options.get(one, 0) for one in PERIODS] if isinstance(options, dict) else []
    if any(periods) and isinstance(options.get("allowed_submissions"), int):
        return
    raise CourseError(
        path,
        f"expected `allowed_submissions` and a period for rate limiting, got {json.dumps(options)}",
        'write such as {"allowed_submissions": 3, "hours": 24}.',
        "Nothing was packaged.",
    )


def plugin_name(plugin: str | dict[str, Any]) -> str:
    """The name that a plugin is imported by; its options may stand beside it."""
    return plugin if isinstance(plugin, str) else next(iter(plugin))


def _course_config(path: Path) -> dict[str, Any]:
    try:
        config = msgspec.json.decode(path.read_bytes().removeprefix(codecs.BOM_UTF8))
        msgspec.convert(config, OtterOptions)
    except (OSError, msgspec.MsgspecError, UnicodeDecodeError, RecursionError) as error:
        known = ", ".join(sorted(OtterOptions.__struct_fields__))
        raise CourseError(
            path,
            f"expected a JSON object of otter-grader's options, got: {error}",
            f"correct it; these options work here: {known}.",
            "Nothing was packaged.",
        ) from None
    return cast("dict[str, Any]", config)
