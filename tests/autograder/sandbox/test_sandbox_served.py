"""Functions of the grading process in the place of a student's own: called here, on what their
code passes to them; the worker gets values and nothing else."""

from __future__ import annotations

import resource
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from autograder import wire
from autograder.sandbox import Ending, Sandbox, StudentRaised, Worker, WorkerEnded
from autograder.sandbox.serving import MOST_ASKED, MOST_TAKEN

from .conftest import LIMITS, SECONDS

SECRET = "a line of the reference that nobody may read"
STEP = "import numpy as np\nfrom earlier import double\n\n\n"
CHANNEL = """
import os, socket, sys
from earlier import double
wire = sys.modules["autograder.wire"]
channel = double.__closure__[0].cell_contents.__self__._channel
"""


def double(x: Any) -> Any:
    """a line of the reference that nobody may read"""
    return 2 * x


@pytest.fixture
def run(sandbox: Sandbox) -> Any:
    """Load a step into a worker with functions of ours served, and call its `f`."""
    workers: list[Worker] = []

    def start(
        source: str,
        *arguments: object,
        earlier: str | None = "1 / 0",
        seconds: float = SECONDS,
        **served: Callable[..., Any],
    ) -> Any:
        files = {"step": source} if earlier is None else {"step": source, "earlier": earlier}
        workers.append(sandbox.spawn(LIMITS))
        workers[-1].load(files, "step", SECONDS, {"earlier": served or {"double": double}})
        deadline = wire.Deadline.after(seconds)
        return workers[-1].call("step", "f", arguments, {}, deadline).value

    yield start
    for worker in workers:
        worker.kill()


def test_a_students_step_is_given_the_values_of_ours(run):
    """However it calls it, and as often as it likes; the student's own file is not run."""
    body = "def f(x):\n    return double(x), double(x=x[0]), [double(one) for one in x.tolist()]\n"
    first, named, each = run(STEP + body, np.array([1.0, 2.0]))

    assert np.array_equal(first, [2, 4])
    assert (named, each) == (2, [2, 4])


def test_it_can_be_called_while_the_file_is_imported(run):
    """As some students do to try it."""
    assert run(STEP + "X = double(21)\n\n\ndef f():\n    return X\n") == 42


def test_the_module_has_the_other_names_of_the_students_file(run):
    """Those are made when somebody asks for one, with the student's own code."""
    own = "print('run')\nWIDTH = 3\n\n\ndef double(x):\n    return 0\n"
    uses = "import earlier\n\n\ndef f(x):\n    return earlier.WIDTH, earlier.double(x)\n"

    assert run(uses, 1, earlier=own) == (3, 2)
    for missing in ("HEIGHT", "__path__"):
        with pytest.raises(StudentRaised, match="AttributeError"):
            run(f"import earlier\n\n\ndef f():\n    return earlier.{missing}\n", earlier=own)


def test_a_file_that_was_not_handed_in_is_a_module_all_the_same(run):
    """With the served functions alone."""
    assert run(STEP + "def f(x):\n    return double(x)\n", 3, earlier=None) == 6
    with pytest.raises(StudentRaised, match="AttributeError"):
        run("import earlier\n\n\ndef f():\n    return earlier.other\n", earlier=None)


def test_what_ours_raises_arrives_as_its_kind_alone(run):
    """No text of ours, no traceback."""

    def refuses(x: Any) -> Any:
        raise np.linalg.LinAlgError(SECRET)

    body = "def f(x):\n    try:\n        double(x)\n    except Exception as error:\n"
    kind, said = run(
        STEP + body + "        return type(error).__name__, str(error)\n", 1, double=refuses
    )

    assert kind == "ValueError"
    assert SECRET not in said
    body = "def f(x):\n    return double(x, x)\n"
    with pytest.raises(StudentRaised, match="TypeError"):
        run(STEP + body, 1)


def test_what_cannot_be_sent_is_a_type_error_at_the_call(run):
    """The student's line is named, and the worker lives on."""
    with pytest.raises(StudentRaised, match="TypeError") as raised:
        run(STEP + "def f():\n    return double(print)\n")

    assert [at.line for at in raised.value.where] == [6]
    with pytest.raises(StudentRaised, match="TypeError"):
        run(STEP + "def f(x):\n    return double(x)\n", 1, double=lambda x: object())


def test_the_workers_memory_holds_no_code_of_ours(run):
    """Neither in the function, nor in anything that the interpreter knows of."""
    body = """
import gc
def f(words):
    double(1)
    wanted = "".join(words)
    found = [one for one in gc.get_objects() if isinstance(one, (str, dict, tuple, list))]
    texts = [repr(one) for one in found if one is not words]
    code = double.__code__
    return [wanted in text for text in texts].count(True), repr((code.co_consts, code.co_names))
"""
    count, code = run(STEP + body, list(SECRET))

    assert count == 0
    assert "2" not in code


def test_a_call_that_takes_too_much_memory_is_a_memory_error(run):
    """Arguments of a student's choice cost the grading process a bounded amount, and its own limit
    is as it was."""
    before = resource.getrlimit(resource.RLIMIT_AS)
    body = "def f(n):\n    return double(np.ones((n, 1)), np.ones((1, n))).shape\n"
    product = {"double": lambda a, b: (a @ b)[:1, :1]}
    few = int((MOST_TAKEN / 8) ** 0.5)

    assert run(STEP + body, few // 2, **product) == (1, 1)
    with pytest.raises(StudentRaised, match="MemoryError"):
        run(STEP + body, 2 * few, **product)
    with pytest.raises(StudentRaised, match="MemoryError"):
        run(STEP + "def f(n):\n    double(np.ones(n))\n", MOST_ASKED // 8 + 1)
    assert resource.getrlimit(resource.RLIMIT_AS) == before


@pytest.mark.parametrize(
    "body",
    [
        "while True:\n        double(1)",
        # questions without a wait for the answers, and no look at these
        'frame = wire.encode_ask(2, "double", [], [1])\n'
        "    while True:\n        wire.send(channel, *frame, wire.Deadline())",
        # and with
        "channel.setblocking(False)\n"
        '    frame = wire.encode_ask(2, "double", [], [1])\n'
        "    while True:\n"
        "        try:\n            channel.recv(1 << 16)\n"
        "        except BlockingIOError:\n            pass\n"
        "        wire.send(channel, *frame, wire.Deadline())",
    ],
)
def test_a_worker_that_asks_for_ever_runs_out_of_time(run, body):
    """The deadline is that of the call, whatever is asked meanwhile."""
    with pytest.raises(WorkerEnded) as ended:
        run(f"{CHANNEL}\n\ndef f():\n    {body}\n", seconds=0.5)

    assert ended.value.ending is Ending.TIME


@pytest.mark.parametrize(
    "arguments",
    [
        "np.ones((20_000, 100), np.int8), np.ones((100, 20_000), np.int8)",
        "np.empty((1 << 31, 1 << 31, 1, 0), np.int8), np.empty((0, 0), np.int8)",
    ],
    ids=["whole numbers", "empty arrays"],
)
def test_a_product_that_never_ends_runs_out_of_time(run, arguments):
    """Nothing stops numpy in the middle of it: it is done in a process that can be ended."""
    with pytest.raises(WorkerEnded) as ended:
        run(f"{STEP}def f():\n    double({arguments})\n", seconds=0.5, double=lambda a, b: a @ b)

    assert ended.value.ending is Ending.TIME


@pytest.mark.parametrize(
    "ask",
    [
        'wire.encode_ask(2, "secret", [], [1])',
        'wire.encode_ask(1, "double", [], [1])',
        'wire.encode(wire.Ask(2, "double", ["x", "y"], [1]))',
        'wire.encode(wire.Ask(2, "double", [], [wire.values.ArrayNode("int8", [9])]))',
        "wire.encode(wire.Served(1))",
    ],
)
def test_a_question_that_is_none_is_no_answer(run, ask):
    """A function that is not served, another request's question, more names than arguments, an
    array without its bytes, an answer of ours."""
    with pytest.raises(WorkerEnded) as ended:
        run(f"{CHANNEL}\n\ndef f():\n    wire.send(channel, *{ask}, wire.Deadline())\n")

    assert ended.value.ending is Ending.REPLY


def test_where_nothing_is_served_nothing_can_be_asked(sandbox):
    """A worker of an ordinary run that asks is given up."""
    worker = sandbox.spawn(LIMITS)
    step = """
import sys
wire = sys.modules["autograder.wire"]
def f():
    channel = sys._getframe(1).f_locals["self"]._channel
    wire.send(channel, *wire.encode_ask(2, "double", [], [1]), wire.Deadline())
"""
    worker.load({"step": step}, "step", SECONDS)

    with pytest.raises(WorkerEnded) as ended:
        worker.call("step", "f", [], {}, wire.Deadline.after(SECONDS))
    assert ended.value.ending is Ending.REPLY
