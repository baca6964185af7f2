"""otter-grader's plugin of ours: student files leave its sight before its kernel starts, and the
verdicts reach it as data after its tests ran. No student code runs in otter-grader's processes."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

from autograder.gradescope.folders import NOTEBOOK, OTTER_TESTS, Grounds
from autograder.gradescope.grading import grade_apart, result_of
from autograder.gradescope.otter_files import inert_notebook
from autograder.gradescope.report import said_of
from autograder.gradescope.rows import NOT_GRADED, UNSAID
from autograder.manifest import Manifest
from autograder.markdown import number
from autograder.results import Check, Outcome, Question, Result
from autograder.scoring import hundredths, uncarried
from autograder.shown import NOT_HERE, is_extra, of_visibility

if TYPE_CHECKING:
    from nbformat import NotebookNode
    from otter.run import AutograderConfig
    from otter.test_files import GradingResults, TestFile
    from otter.test_files.abstract_test import TestCase

KEPT = frozenset({NOTEBOOK, OTTER_TESTS})


class Verdicts:
    """Hands our verdicts to otter-grader. Its base class only says "not supported" to the events
    that are missing here.

    Args:
        submission_path: of the notebook that otter-grader runs: ours, and inert.
        submission_metadata: the platform's.
        plugin_config: this plugin has no options.
    """

    def __init__(
        self, submission_path: str | None, submission_metadata: dict[str, Any], plugin_config: Any
    ) -> None:
        self._result: Result | None = None
        self._manifest: Manifest | None = None

    def before_grading(self, config: AutograderConfig) -> None:
        """Take what the student handed in out of otter-grader's folder, and grade it, unless that
        was done before otter-grader was started.

        Raises:
            CourseError: grading came to no result.
        """
        grounds = Grounds(Path(config.autograder_dir))
        if not grounds.graded.exists():  # `otter run` has started this
            grounds = set_aside(grounds)
            grade_apart(grounds)
        self._result = result_of(grounds)
        self._manifest = grounds.package.assignment.manifest

    def before_execution(self, submission: NotebookNode) -> NotebookNode:
        """Whatever notebook was found, an inert one is run."""
        return inert_notebook()

    def after_grading(self, results: GradingResults) -> None:
        """Put our verdicts in the place of otter-grader's."""
        assert self._result is not None, "before_grading comes first"
        assert self._manifest is not None, "before_grading comes first"
        for question in self._result.questions:
            file = results.results.get(question.name)
            if file is not None:  # else its kernel failed, and it says so itself
                _set_verdicts(file, question, self._manifest)
        results.set_output(said_of(self._result, self._manifest))


def set_aside(grounds: Grounds) -> Grounds:
    """Move what was handed in to grounds of its own; otter-grader keeps its own files."""
    aside = grounds.beside("handed_in")
    for path in grounds.submission.iterdir():
        if path.name not in KEPT and not _is_otters(path):
            path.rename(aside.submission / path.name)
    return aside


def _is_otters(path: Path) -> bool:
    return path.name == "__init__.py" and path.is_file() and not path.stat().st_size


def _set_verdicts(file: TestFile, question: Question, manifest: Manifest) -> None:
    """One test case a check, its points and its words; what is in hidden checks is said at once."""
    from otter.test_files.abstract_test import TestCaseResult

    extra = is_extra(manifest, question)
    tell_hidden = manifest.feedback.hints != "never"
    verdicts = [*_checks(question, extra, tell_hidden), *_remainder(question, extra)]
    file.test_case_results = [
        TestCaseResult(test_case=case, message=words, passed=passed)
        for case, words, passed in verdicts
    ]
    file.test_cases = [one.test_case for one in file.test_case_results]
    # A question with a broken check has no score, and yet what its other checks have earned.
    file.update_score(sum(hundredths(check.points) for check in question.checks) / 100)


def _checks(
    question: Question, extra: bool, tell_hidden: bool
) -> Iterator[tuple[TestCase, str, bool]]:
    counts = Counter[str]()
    for check in question.checks:
        counts[check.visibility] += 1
        hidden = check.visibility == "hidden"
        name = f"hidden check {counts['hidden']}" if hidden else check.name.replace("_", " ")
        case = _case(name, hidden=hidden, points=0.0 if extra else check.out_of)
        words = _words(check, tell=tell_hidden or not hidden)
        yield case, words, check.outcome is Outcome.PASSED


def _remainder(question: Question, extra: bool) -> Iterator[tuple[TestCase, str, bool]]:
    """What no check says: points that could not be graded here, points in hidden checks."""
    points = uncarried(question)
    if points and not extra:
        yield _case("not graded here", points=points), NOT_HERE, False
    hidden = sum(one.out_of for one in of_visibility(question, "hidden"))
    if hidden:
        most = number(question.max_score)
        said = f"{number(hidden)} of {most} points of this step are in hidden checks."
        yield _case("hidden checks", points=0.0, said=said), "Not shown here.", True


def _case(name: str, *, hidden: bool = False, points: float, said: str | None = None) -> TestCase:
    from otter.test_files import TestCase

    return TestCase(
        name=name, body="", hidden=hidden, points=points, success_message=said, failure_message=None
    )


def _words(check: Check, *, tell: bool) -> str:
    if check.outcome is Outcome.PASSED:
        return check.message or "Passed."
    if check.outcome is Outcome.BROKEN:
        return NOT_GRADED
    return (check.message if tell else "") or UNSAID.get(check.outcome, "")
