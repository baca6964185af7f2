"""The pytest plugin: hooks and fixtures that turn an ordinary test folder into hidden graders.

`pytest tests/<assignment>` grades the reference, `--submission PATH` grades a submission. It does
nothing at all for tests that are no assignment's.
"""

from __future__ import annotations

import functools
import hashlib
import time
from collections.abc import Callable, Generator
from pathlib import Path
from typing import TypeVar

import numpy as np
import pytest

import autograder
from autograder.errors import CourseError
from autograder.grading import phrases
from autograder.grading.check import CHECK, Check, assert_phrase
from autograder.grading.collect import (
    GraderFolder,
    assignment_at,
    checks_of,
    enabled,
    in_question_order,
    is_example,
)
from autograder.grading.devices import CASES, CPU, DEVICES, Device, why_not
from autograder.grading.grading import GRADING, Grading
from autograder.grading.probes import Portable, Probe
from autograder.grading.proxies import Compare, Gradients, Refuses, Student, Unmodified
from autograder.grading.references import References
from autograder.grading.run import Case, CheckFailed
from autograder.manifest import Assignment
from autograder.results import Outcome
from autograder.text import plain

STARTED = pytest.StashKey[float]()
FRAMEWORK = Path(autograder.__file__).parent
LONGEST_DETAIL = 20_000  # characters


def pytest_addoption(parser: pytest.Parser) -> None:
    group = parser.getgroup("autograder", "hidden graders")
    group.addoption(
        "--submission",
        type=Path,
        metavar="PATH",
        help="grade this submission (a folder, a zip or one file) instead of the reference",
    )
    group.addoption(
        "--allow-weak-isolation",
        action="store_true",
        help="grade although this machine cannot keep student code from the tests",
    )
    group.addoption("--device", choices=DEVICES, default=CPU, help="cuda: checks on a GPU as well")
    group.addoption("--seed", type=int, default=0, metavar="N", help="the seed of hidden inputs")


def pytest_configure(config: pytest.Config) -> None:
    for line in (
        "question(name): the question of assignment.toml that a check belongs to",
        "weight(parts): how many parts of its question's points a check is worth",
        "fresh: the check gets a worker of its own",
    ):
        config.addinivalue_line("markers", line)
    config.stash.setdefault(GRADING, Grading(device=config.getoption("--device")))


@pytest.hookimpl(tryfirst=True)
def pytest_load_initial_conftests(early_config: pytest.Config) -> None:
    """No submission's conftest.py runs here: an example is refused before pytest loads it."""
    for argument in early_config.known_args_namespace.file_or_dir:
        path = early_config.invocation_params.dir / argument.partition("::")[0]
        if is_example(path):
            raise pytest.UsageError(
                f"{argument} is a submission, which pytest itself must not run\n"
                "Fix: name the graders' folder, and the submission with --submission."
            )


def pytest_unconfigure(config: pytest.Config) -> None:
    config.stash[GRADING].close()


def pytest_ignore_collect(collection_path: Path) -> bool | None:
    return True if is_example(collection_path) else None


def pytest_collect_directory(path: Path, parent: pytest.Collector) -> pytest.Collector | None:
    try:
        assignment = assignment_at(path)
    except CourseError as error:
        raise pytest.UsageError(str(error)) from None
    return None if assignment is None else GraderFolder.of(parent, path, assignment)


@pytest.hookimpl(trylast=True)
def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    try:
        found = checks_of(items)
    except CourseError as error:
        if config.stash[GRADING].driven:
            config.stash[GRADING].problem = error
            return
        raise pytest.UsageError(str(error)) from None
    graded = set(enabled(found))
    config.hook.pytest_deselected(items=[item for item, _ in found if item not in graded])
    items[:] = in_question_order(
        [item for item in items if CHECK not in item.stash or item in graded]
    )


def _check_of(item: pytest.Item) -> Check:
    check = item.stash.get(CHECK, None)
    if check is None:
        pytest.fail("this fixture belongs to an assignment's graders, in tests/<assignment>/")
    return check


def _assignment_of(item: pytest.Item) -> Assignment:
    folder = item.getparent(GraderFolder)
    assert folder is not None, "only a grader folder's tests are checks"
    return folder.assignment


def _references(request: pytest.FixtureRequest) -> References:
    _check_of(request.node)
    return request.config.stash[GRADING].references(_assignment_of(request.node))


P = TypeVar("P", bound=Student)


def _proxy(kind: Callable[..., P], request: pytest.FixtureRequest) -> P:
    references = _references(request)
    asked: Device | None = (
        request.getfixturevalue("device") if "device" in request.fixturenames else None
    )
    device = "" if asked is None or asked.name == CPU else asked.name
    return kind(request.config.stash[GRADING].run, _check_of(request.node), references, device)


@pytest.fixture
def student(request: pytest.FixtureRequest) -> Student:
    """The submission's functions, called in a confined worker."""
    return _proxy(Student, request)


@pytest.fixture
def compare(request: pytest.FixtureRequest) -> Compare:
    """The submission's functions, held against the reference's."""
    return _proxy(Compare, request)


@pytest.fixture
def unmodified(request: pytest.FixtureRequest) -> Unmodified:
    """The submission's functions, which leave their arguments as they were."""
    return _proxy(Unmodified, request)


@pytest.fixture
def refuses(request: pytest.FixtureRequest) -> Refuses:
    """The submission's functions, which raise what the reference raises."""
    return _proxy(Refuses, request)


@pytest.fixture
def probe(request: pytest.FixtureRequest) -> Probe:
    """The submission's functions, and what their calls cost."""
    return _proxy(Probe, request)


@pytest.fixture
def portable(request: pytest.FixtureRequest) -> Portable:
    """The submission's functions, which stay on the device of their arguments."""
    return _proxy(Portable, request)


@pytest.fixture
def reference(request: pytest.FixtureRequest) -> References:
    """The reference's functions."""
    return _references(request)


@pytest.fixture
def gradients(request: pytest.FixtureRequest) -> Gradients:
    """The submission's functions, held against the reference's in values and gradients."""
    return _proxy(functools.partial(Gradients, rng=_drawn_for(request, "upstream")), request)


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    """A check with the fixture `device` has a case for each of them."""
    is_grader = metafunc.definition.getparent(GraderFolder) is not None
    if is_grader and "device" in metafunc.fixturenames:
        metafunc.parametrize("device", CASES, ids=map(str, CASES), indirect=True)


@pytest.fixture
def device(request: pytest.FixtureRequest) -> Device:
    """Where a case runs, and in which dtype."""
    chosen: Device = request.param
    why = why_not(chosen, request.config.stash[GRADING].device)
    if why:
        pytest.skip(why)
    return chosen


@pytest.fixture
def rng(request: pytest.FixtureRequest) -> np.random.Generator:
    """Inputs nobody can know beforehand: from the seed, the case's name and the files' hash."""
    return _drawn_for(request)


def _drawn_for(request: pytest.FixtureRequest, *what: str) -> np.random.Generator:
    check, run = _check_of(request.node), request.config.stash[GRADING].run
    words = (str(run.seed), check.question, request.node.name, run.staged.digest, *what)
    text = "\0".join(words)
    return np.random.default_rng(int.from_bytes(hashlib.sha256(text.encode()).digest(), "big"))


@pytest.hookimpl(wrapper=True)
def pytest_runtest_protocol(item: pytest.Item) -> Generator[None, object, object]:
    if CHECK in item.stash:
        item.stash[STARTED] = time.perf_counter()
        try:
            item.config.stash[GRADING].open_run(item.config, _assignment_of(item))
        except CourseError as error:
            pytest.exit(str(error), returncode=error.exit_code)
    return (yield)


@pytest.hookimpl(tryfirst=True)
def pytest_runtest_setup(item: pytest.Item) -> None:
    """Before the first fixture: a fixture of a grader's own may call the student's functions."""
    check = item.stash.get(CHECK, None)
    if check is not None:
        item.config.stash[GRADING].run.begin_case(check)


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(
    item: pytest.Item, call: pytest.CallInfo[None]
) -> Generator[None, pytest.TestReport, pytest.TestReport]:
    report = yield
    check = item.stash.get(CHECK, None)
    if check is None:
        return report
    run = item.config.stash[GRADING].run
    if call.when == "teardown":
        run.end_case(check)
    if call.when != "call" and call.excinfo is None:
        return report
    outcome, message, told = _judge(check, _assignment_of(item), call.excinfo)
    detail = plain(told, LONGEST_DETAIL)  # what a student's code gave may be quoted in it
    run.cases.append(
        Case(check, outcome, message, detail, time.perf_counter() - item.stash[STARTED])
    )
    if outcome is Outcome.FAILED:
        report.when = "call"  # an error in a fixture would be the grader's, and this is not
        report.longrepr = f"{message}\n\n{detail}".rstrip()
    return report


def _judge(
    check: Check, assignment: Assignment, excinfo: pytest.ExceptionInfo[BaseException] | None
) -> tuple[Outcome, str, str]:
    """Whose fault it was, what the student reads, what the instructor reads."""
    if excinfo is None:
        return Outcome.PASSED, "", ""
    error = excinfo.value
    if isinstance(error, pytest.skip.Exception):
        return Outcome.SKIPPED, "No case of this check could run here.", str(error)
    if isinstance(error, CheckFailed):
        return Outcome.FAILED, error.message, error.detail
    is_verdict = isinstance(error, AssertionError | pytest.fail.Exception)
    if not is_verdict or _is_ours(excinfo, assignment):
        return Outcome.BROKEN, phrases.BROKEN, str(excinfo.getrepr(style="short"))
    lines = [entry.lineno + 1 for entry in excinfo.traceback if Path(entry.path) == check.file]
    said = assert_phrase(check.file, lines[-1]) if lines else ""
    if not said and not check.hidden:
        said = plain(str(error), phrases.TEXT_LIMIT)
    excinfo.traceback = excinfo.traceback.cut(path=check.file)
    return Outcome.FAILED, said or phrases.UNWORDED, str(excinfo.getrepr(style="short"))


def _is_ours(excinfo: pytest.ExceptionInfo[BaseException], assignment: Assignment) -> bool:
    """Whether it was raised in a reference or in this package: no grader said it of a student."""
    path = Path(excinfo.traceback[-1].path)
    return path.is_relative_to(assignment.solutions) or path.is_relative_to(FRAMEWORK)
