"""Answers of the course's own: what comes of them is what would come of a student's."""

from __future__ import annotations

import numpy as np
import pytest

from autograder import wire
from autograder.grading.local import LocalCode, LocalSandbox, staged_as
from autograder.results import Outcome
from autograder.sandbox import StudentRaised, WorkerLimits
from autograder.session import with_graders

ANSWERS = """
import numpy as np


class Odd(LookupError):
    pass


class OfNobody(BaseException):
    pass


class Code:
    pass


def plain(x, by=2):
    return by * x


def named(x, by):
    return {"x": x, "by": [by, None, "text", 1 + 1j]}


def spoils(x, by):
    x[...] = 7
    by.append(1)
    return x


def sets(x, by):
    return {1, 2}


def generates(x, by):
    return (one for one in x)


def objects(x, by):
    return [np.array([Code()]), Code()]


def too_large(x, by):
    return np.broadcast_to(x[0, 0], (1 << 13, (1 << 10) + 1))


def grows(x, by):
    by.extend(range(30_000))
    return x


def odd(x, by):
    raise Odd("of its own kind")


def of_nobody(x, by):
    raise OfNobody


def exits(x, by):
    raise SystemExit(3)


def recurses(x, by):
    return recurses(x, by)
"""
CALLS = [line.split()[1].partition("(")[0] for line in ANSWERS.splitlines() if line[:4] == "def "]


@pytest.fixture(scope="module")
def local():
    """The functions, called here."""
    functions: dict[str, object] = {"__name__": "step1"}
    exec(ANSWERS, functions)
    return LocalCode(type("Functions", (), {name: staticmethod(functions[name]) for name in CALLS}))


@pytest.fixture(scope="module")
def worker(sandbox):
    """The same functions, called in a worker."""
    worker = sandbox.spawn(WorkerLimits(memory_mb=512, cpu_seconds=30))
    worker.load({"step1": ANSWERS}, "step1", 20)
    yield worker
    worker.release()


def came_of(code, name):
    """The value, the arguments as it left them and the exception's kind; and our own afterwards."""
    array, numbers = np.arange(6.0).reshape(2, 3), [2]
    try:
        answer = code.call("step1", name, [array], {"by": numbers}, wire.Deadline.after(20))
        came = repr(answer.value), repr(answer.arguments)
    except StudentRaised as error:
        came = error.kind, ""
    return came, array.tolist(), numbers


@pytest.mark.parametrize("name", CALLS)
def test_an_answer_of_ours_is_seen_as_a_students_would_be(local, worker, name):
    """Values that can be sent and others, what becomes of the arguments, exceptions of all kinds;
    and the caller's own arguments stay as they are."""
    ours = came_of(local, name)

    assert ours == came_of(worker, name)
    assert ours[1:] == ([[0, 1, 2], [3, 4, 5]], [2])


def test_a_replaced_step_is_what_later_steps_build_on(course):
    """The composition loses points with a wrong step, as a student's would."""

    def grade(graders):
        local = LocalSandbox(course.assignment, {"double": lambda x: 3 * x})
        staged = staged_as("thrice", course.assignment)
        return graders.run(staged, local, 0).cases

    cases = with_graders(course.assignment, grade)

    assert {case.outcome for case in cases} == {Outcome.FAILED}
    assert {case.check.question for case in cases} == {"double", "total"}


def test_a_served_step_stands_in_the_place_of_a_replaced_one(course):
    """So the composition is right again, as a student's would be."""

    def grade(graders):
        local = LocalSandbox(course.assignment, {"double": lambda x: 3 * x})
        staged = staged_as("thrice", course.assignment)
        return graders.grade(staged, local, 0, "key")

    result = with_graders(course.assignment, grade)

    assert [(one.score, one.follow_through) for one in result.questions] == [(0, False), (60, True)]


def test_an_interrupt_is_nobodys_answer(local):
    """Ctrl-C while a known answer runs ends the run."""

    def interrupted():
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        LocalCode(type("One", (), {"f": staticmethod(interrupted)})).call(
            "", "f", [], {}, wire.Deadline()
        )
