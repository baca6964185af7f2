"""The machine underneath: too weak, without forks, with many cores, with a full disk."""

from __future__ import annotations

import os
import re
import shutil

import pytest

from autograder import files, forks
from autograder.batch import grade as batch_grade
from autograder.cli import grading as cli_grading
from autograder.cli.grading import ClassOptions, check_one, grade_and_write
from autograder.errors import CourseError
from autograder.files import write_atomically
from autograder.sandbox import Settings, TooWeak, open_sandbox, opening

WRONG = "def double(x):\n    return 3 * x\n"
WEAK = Settings(without=("own uid", "Landlock", "seccomp", "network namespace"))
CHANGES_EVERY_RUN = re.compile(r'"(seconds|layers|promise)": (\[[^]]*\]|[^,\n]*)')
COUNT_THREADS = """
import os
import sys

fork, most = os.fork, 0


def counting():
    global most
    most = max(most, len(os.listdir("/proc/self/task")))
    return fork()


os.fork = counting
from autograder.cli import main

try:
    main()
finally:
    print("threads at a fork:", most, [name for name in ("torch", "otter") if name in sys.modules])
"""


@pytest.fixture
def pair(course):
    """A course with a class of two."""
    course.submit("right")
    course.submit("wrong", step1_double=WRONG)
    return course


def options(course, folder="out", *, allow_weak=False):
    return ClassOptions(course.root / folder, 2, 7, False, "cpu", "now", allow_weak)


def results(course, folder="out"):
    return {
        path.stem: CHANGES_EVERY_RUN.sub("", path.read_text())
        for path in (course.root / folder / "results").iterdir()
    }


@pytest.fixture
def weak(monkeypatch):
    """A machine that has no layer but the limits."""
    for module in (cli_grading, batch_grade):
        monkeypatch.setattr(module, "sandbox_for", lambda *_, **__: open_sandbox(WEAK))


@pytest.mark.usefixtures("weak")
def test_a_machine_too_weak_refuses_other_peoples_code(pair):
    """It names what is missing, and grades when it is told to."""
    assignment, one = pair.assignment, pair.submissions / "right"

    with pytest.raises(TooWeak) as refused:
        grade_and_write(assignment, pair.submissions, options(pair))
    with pytest.raises(TooWeak):
        check_one(assignment, one, keyword="", seed=0, allow_weak=False)
    graded = list((pair.root / "out").glob("results/*"))
    allowed = grade_and_write(assignment, pair.submissions, options(pair, allow_weak=True))

    assert refused.value.exit_code == 1
    assert "not active: own uid, Landlock, seccomp" in refused.value.problem
    assert "--allow-weak-isolation" in refused.value.fix
    assert graded == []
    assert allowed == 0
    assert results(pair).keys() == {"right", "wrong"}


@pytest.mark.usefixtures("weak")
def test_the_courses_own_code_is_graded_on_any_machine(pair, capsys):
    """The examples; but not what a link among them leads to. The line says what is active."""
    examples = pair.assignment.examples
    shutil.copytree(pair.submissions / "right", examples / "right")
    (examples / "linked").symlink_to(pair.submissions / "right")

    own = grade_and_write(pair.assignment, examples, options(pair))
    with pytest.raises(TooWeak):
        check_one(pair.assignment, examples / "linked", keyword="", seed=0, allow_weak=False)

    assert own == 0
    assert "isolation: weak (a process of its own, limits" in capsys.readouterr().err
    assert pair.was_run == []


def test_where_no_process_can_be_forked_the_results_are_the_same(pair, monkeypatch):
    """Submissions one by one in this process, each worker exec'd anew."""
    grade_and_write(pair.assignment, pair.submissions, options(pair, "forked"))
    monkeypatch.setattr(forks, "LINUX", False)
    monkeypatch.setattr(opening, "LINUX", False)

    grade_and_write(pair.assignment, pair.submissions, options(pair, "spawned", allow_weak=True))

    assert results(pair, "spawned") == results(pair, "forked")


def test_the_grading_process_forks_with_one_thread(pair):
    """However many cores the shell's own settings ask for; nor does it import torch or otter."""
    arguments = ("grade", "demo", "class", "--jobs", "2")
    many = {"OPENBLAS_NUM_THREADS": "4", "OMP_NUM_THREADS": "4", "MKL_NUM_THREADS": "4"}

    run = pair.python("-c", COUNT_THREADS, *arguments, **many)

    assert "threads at a fork: 1 []" in run.stdout, run.stderr


@pytest.mark.parametrize("kind", [OSError, KeyboardInterrupt])
def test_a_file_is_written_whole_or_not_at_all(tmp_path, monkeypatch, kind):
    """A full disk or a person's Ctrl-C leaves what stood there, and nothing beside it."""
    path = tmp_path / "new" / "file"
    write_atomically(path, "first")

    def full(descriptor):
        raise kind(28, "No space left on device")

    monkeypatch.setattr(files.os, "fsync", full)
    with pytest.raises(CourseError if kind is OSError else kind):
        write_atomically(path, "second")

    assert os.listdir(path.parent) == ["file"]
    assert path.read_text() == "first"


def test_why_a_file_cannot_be_written_is_said(tmp_path):
    """And what to do, and that the old one is untouched."""
    (tmp_path / "file").touch()

    with pytest.raises(CourseError, match="could not be written: File exists") as caught:
        write_atomically(tmp_path / "file" / "inner", "text")

    assert str(caught.value).endswith("What stood there before is unchanged.")


def test_a_weak_result_is_graded_again_where_more_is_demanded(pair, monkeypatch):
    """What was graded without walls is not kept as if it had been graded behind them."""

    def promises():
        texts = (path.read_text() for path in (pair.root / "out" / "results").iterdir())
        return [re.search(r'"promise": "(\w+)"', text)[1] for text in texts]

    with monkeypatch.context() as elsewhere:
        for module in (cli_grading, batch_grade):
            elsewhere.setattr(module, "sandbox_for", lambda *_, **__: open_sandbox(WEAK))
        grade_and_write(pair.assignment, pair.submissions, options(pair, allow_weak=True))

    grade_and_write(pair.assignment, pair.submissions, options(pair, allow_weak=True))
    allowed = promises()
    grade_and_write(pair.assignment, pair.submissions, options(pair))

    assert allowed == ["weak", "weak"]
    assert promises() == ["strong", "strong"]
