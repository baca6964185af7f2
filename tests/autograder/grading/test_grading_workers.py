"""One worker a question: what ends it, what a fresh one forgets, and what time may be used up."""

from __future__ import annotations

import os
import signal
import sys
import threading
import time

import pytest

from autograder.grading import phrases
from autograder.results import Outcome
from autograder.sandbox import Settings, Worker, open_sandbox

COUNTS = """
calls = 0


def double(x):
    global calls
    calls += 1
    return 2 * x + (calls - 1)
"""
SLEEPS = "def double(x):\n    time.sleep(0.2)\n    return 2 * x\n"
LOOPS = "def double(x):\n    while True:\n        pass\n"


@pytest.fixture
def many_checks(course):
    """Six hidden checks of the first question, of which the fourth is marked `fresh`."""
    named = [
        f"def test_{n}(compare, rng):\n    compare.double(rng.normal(size=3))\n" for n in "abcdef"
    ]
    named[3] = f"@fresh\n{named[3]}"
    course.grade_with("\n\n".join(named))
    return course


def outcomes(course, result):
    return {name: check.outcome.value for name, check in course.checks(result).items()}


def test_a_question_has_one_worker_and_a_fresh_check_its_own(many_checks, sandbox):
    """What a check leaves behind lasts to the end of its question, and a fresh check sees none."""
    result = many_checks.grade(many_checks.submit(step1_double=COUNTS), sandbox)

    checks = result.questions[0].checks
    passed = [check.name for check in checks if check.outcome is Outcome.PASSED]
    assert passed == ["on_paper", "a", "d", "e"]  # each the first call of a worker


def test_after_a_crash_the_question_goes_on_with_a_fresh_worker(many_checks, sandbox):
    """One crash costs the check in which it happened."""
    crashes = "import os\n\n\ndef double(x):\n    return 2 * x if x.sum() == 3 else os._exit(3)\n"

    result = many_checks.grade(many_checks.submit(step1_double=crashes), sandbox)

    checks = many_checks.checks(result)
    assert checks["on_paper"].outcome is Outcome.PASSED
    for name in "abcdef":
        assert checks[name].message.startswith("Your program ended in the middle of `double`")


def test_after_two_timeouts_the_rest_of_the_question_is_not_run(many_checks, sandbox):
    """An endless loop costs its question twice the limit, and no other question anything."""
    many_checks.limit(seconds=0.3)
    alone = "import numpy as np\n\n\ndef total(x):\n    return np.sum(2 * x, axis=-1)\n"
    path = many_checks.submit(step1_double=LOOPS, step2_total=alone)
    started = time.monotonic()

    result = many_checks.grade(path, sandbox)

    messages = [check.message for check in result.questions[0].checks]
    waited = "`double` gave no answer within 0.3 seconds. Is there a loop that never ends?"
    assert messages == [waited] * 2 + [phrases.NOT_RUN_AFTER_TIMEOUTS] * 5
    assert 0.6 <= time.monotonic() - started < 3
    assert [question.score for question in result.questions] == [0, 60]


def test_a_loop_at_import_is_waited_for_once_a_question(many_checks, sandbox, monkeypatch):
    """An import does not change its mind: every later check says the same at once."""
    many_checks.limit(seconds=0.3, timeouts=99)
    path = many_checks.submit(step1_double="while True:\n    pass\n")
    loads, load = [], Worker.load

    def counted(worker, files, module, *rest):
        loads.append(module)
        return load(worker, files, module, *rest)

    monkeypatch.setattr(Worker, "load", counted)

    result = many_checks.grade(path, sandbox)

    assert loads.count("step1_double") == 1
    waited = "`step1_double.py` gave no answer within 0.3 seconds. Is there a loop that never ends?"
    assert {check.message for check in result.questions[0].checks} == {waited}


def test_a_slow_import_leaves_a_check_its_time(course, sandbox):
    """A file's import and a check have the limit each."""
    course.limit(seconds=0.5)
    slow = f"import time\n\ntime.sleep(0.35)\n\n\n{SLEEPS}"

    result = course.grade(course.submit(step1_double=slow), sandbox)

    assert result.score == 100


def test_when_a_submissions_time_is_used_up_the_rest_is_not_run(many_checks, sandbox):
    """Its total is kept to, whatever each question may use."""
    many_checks.limit(seconds=5, timeouts=99, total_seconds=0.5)
    started = time.monotonic()

    result = many_checks.grade(many_checks.submit(step1_double=LOOPS), sandbox)

    messages = [check.message for question in result.questions for check in question.checks]
    assert messages == [phrases.CUT_SHORT] + [phrases.NOT_REACHED] * 7
    assert time.monotonic() - started < 3


def test_when_the_base_process_dies_it_is_our_fault(many_checks):
    """Broken is the check during which it died, and all after it: nobody gets a zero for it."""
    sandbox = open_sandbox(Settings())
    path = many_checks.submit(step1_double=f"import time\n\n\n{SLEEPS}")
    death = threading.Timer(0.4, os.kill, (sandbox._process.pid, signal.SIGKILL))

    death.start()
    result = many_checks.grade(path, sandbox)
    sandbox.close()

    ended = list(outcomes(many_checks, result).values())
    assert ended == ["passed"] * ended.index("broken") + ["broken"] * ended.count("broken")
    assert ended.count("broken") > 1
    assert result.score is None


def test_no_file_of_a_student_is_imported_here(course, sandbox):
    """Neither by the grader nor by pytest: the process that knows the answers runs none of it."""
    course.grade(course.submit(), sandbox)

    files = [getattr(module, "__file__", None) or "" for module in list(sys.modules.values())]
    assert not {"step1_double", "step2_total"} & sys.modules.keys()
    assert not [file for file in files if file.startswith(str(course.root))]


def test_a_worker_holds_nothing_of_the_graders(course, sandbox):
    """No module of solutions/, tests/ or pytest; none of the grading side; no heavy package."""
    spies = """
import sys

NAMES = ("torch", "otter", "pytest", "_pytest", "demo", "tests", "solutions", "test_double")
SIDE = ("grading", "session", "batch", "cli", "manifest", "submissions", "compare", "outputs")


def double(x):
    found = [name for name in sys.modules if name.partition(".")[0] in NAMES]
    found += [name for name in sys.modules if name.split(".")[:1] == ["autograder"]
              and name.split(".")[1:2] and name.split(".")[1] in SIDE]
    raise KeyError(f"found {len(found)} of {len(sys.modules)}: {found}")
"""

    result = course.grade(course.submit(step1_double=spies), sandbox)

    assert "found 0 of " in course.checks(result)["on_paper"].message
