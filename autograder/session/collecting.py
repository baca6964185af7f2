"""An assignment's graders, collected by pytest in this process, once; what is done with them is the
caller's business. pytest itself runs nothing here and prints nothing."""

from __future__ import annotations

import os
import sys
import warnings
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from types import ModuleType
from typing import Generic, Literal, TypeVar

import pytest

from autograder.errors import CourseError, UsageError
from autograder.grading.collect import explain_collection_error
from autograder.grading.devices import CPU
from autograder.grading.grading import GRADING, Grading
from autograder.grading.references import import_packages
from autograder.manifest import Assignment
from autograder.manifest.course import FOLDERS
from autograder.session.graders import Graders

T = TypeVar("T")
OPTIONS = (
    *("--disable-plugin-autoload", "-p", "no:cacheprovider", "-p", "no:terminal", "-s"),
    *("--continue-on-collection-errors", "--assert=plain", "-o", "addopts="),
    *("--import-mode=importlib",),
    *("-p", "no:logging"),  # its handlers are put up and taken down three times a case
    *("-p", "no:warnings"),  # a course that makes errors of them would make ours of a student's
    *("-p", "no:unraisableexception", "-p", "no:threadexception"),  # they collect all garbage
    *("-p", "autograder.grading.plugin"),
)
_FOR_OTHER_RUNS = ("PYTEST_ADDOPTS", "PYTEST_PLUGINS")  # a `-k` in it would leave checks out


def with_graders(
    assignment: Assignment, work: Callable[[Graders], T], *, keyword: str = "", device: str = CPU
) -> T:
    """Collect an assignment's graders in this process, and do `work` with them.

    Args:
        keyword: only checks that match this pytest expression; the graders are then not complete.
        device: cuda: cases for a GPU are run.

    Raises:
        CourseError: a grader file is wrong, and whatever `work` raises.
        UsageError: no check matches `keyword`.
    """
    import_packages(assignment)
    driver = _Driver(assignment, work, keyword, device)
    root = assignment.graders.parent.parent
    options = [*OPTIONS, f"--rootdir={root}", *(["-k", keyword] if keyword else [])]
    with _as_found(assignment):
        status = pytest.main([*options, str(assignment.graders)], plugins=[driver])
    if driver.error is not None:
        raise driver.error
    if driver.done:
        return driver.done[0]
    if keyword:
        raise _no_such_checks(keyword)
    raise CourseError(
        assignment.graders,
        f"pytest could not collect the graders (exit status {int(status)})",
        f"run `pytest {assignment.graders}`; it says why.",
    )


class _Driver(Generic[T]):
    """A pytest plugin that lets pytest collect, and then does `work` instead of a test loop."""

    def __init__(
        self, assignment: Assignment, work: Callable[[Graders], T], keyword: str, device: str
    ) -> None:
        self._device = device
        self._assignment = assignment
        self._work = work
        self._keyword = keyword
        self._unreadable: list[str] = []
        self.done: list[T] = []
        self.error: BaseException | None = None

    def pytest_configure(self, config: pytest.Config) -> None:
        config.stash[GRADING] = Grading(driven=True, device=self._device)

    def pytest_collectreport(self, report: pytest.CollectReport) -> None:
        if report.failed:
            why = explain_collection_error(str(report.longrepr))
            self._unreadable.append(f"{report.nodeid}\n{why}")

    @pytest.hookimpl(tryfirst=True)
    def pytest_runtest_makereport(
        self, item: pytest.Item, call: pytest.CallInfo[None]
    ) -> pytest.TestReport:
        """pytest's own would draw every traceback, for nobody; the plugin takes what is told."""
        assert call.when != "collect", "that is over"
        outcome: Literal["passed", "failed"] = "failed" if call.excinfo else "passed"
        return pytest.TestReport(item.nodeid, item.location, {}, outcome, None, call.when)

    @pytest.hookimpl(tryfirst=True)
    def pytest_runtestloop(self, session: pytest.Session) -> bool:
        try:
            self.done.append(self._work(self._graders(session)))
        except BaseException as error:
            self.error = error
        return True

    def _graders(self, session: pytest.Session) -> Graders:
        problem = session.config.stash[GRADING].problem
        if problem is not None:
            raise problem
        if self._unreadable:
            raise CourseError(
                "the graders",
                "a file could not be collected:\n" + "\n".join(self._unreadable),
                "mend the line that it names; `pytest` on that file shows all of it.",
            )
        graders = Graders(session, self._assignment, complete=not self._keyword)
        if self._keyword and not graders.checks():
            raise _no_such_checks(self._keyword)
        return graders


def _no_such_checks(keyword: str) -> UsageError:
    return UsageError(
        f"-k {keyword!r}",
        "no check matches it",
        "name a check, a question's file or a part of one; without -k all of them are listed.",
    )


@contextmanager
def _as_found(assignment: Assignment) -> Iterator[None]:
    """pytest's own environment is put aside meanwhile, and what was imported of the course is
    forgotten before and after: every collection reads every file anew."""
    aside = {name: os.environ.pop(name) for name in _FOR_OTHER_RUNS if name in os.environ}
    modules = _taken_out(assignment)  # of any course's: pytest would take them for this one's
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # numpy warns of a student's values, in our arithmetic
            yield
    finally:
        os.environ.update(aside)
        _taken_out(assignment)
        sys.modules.update(modules)


def _taken_out(assignment: Assignment) -> dict[str, ModuleType]:
    """The modules by the names or of the files of an assignment; they are forgotten."""
    prefixes = tuple(f"{folder}.{assignment.name}." for folder in FOLDERS)
    folders = (assignment.graders, assignment.solutions, assignment.handout)
    return {
        name: sys.modules.pop(name)
        for name, module in list(sys.modules.items())
        if f"{name}.".startswith(prefixes)
        or any(Path(getattr(module, "__file__", None) or "").is_relative_to(f) for f in folders)
    }
