"""However a worker ends, the grading process is told which of three ways it was, and goes on."""

from __future__ import annotations

import os
import select
import signal
import time

import numpy as np
import pytest

from autograder import wire
from autograder.sandbox import Ending, StudentRaised, WorkerEnded, WorkerLimits
from autograder.sandbox.promise import SECCOMP, UID, has_layer

HELPLESS = """
import ctypes, os, signal, sys, threading, time
import numpy as np
import autograder.wire as wire

def fine(): return 1
def loops():
    while True: pass
def sleeps(): time.sleep(1000)
def deaf():
    for number in range(1, 65):
        try: signal.signal(number, signal.SIG_IGN)
        except (OSError, ValueError): pass
    while True: pass
def stops():
    signal.raise_signal(signal.SIGSTOP)
    os.kill(os.getpid(), signal.SIGSTOP)
def waits_for_itself(): os.read(3, 10)
def exits(): os._exit(0)
def exits_with(code): os._exit(code)
def segfaults(): ctypes.string_at(0)
def aborts(): os.abort()
def overflows():
    sys.setrecursionlimit(10 ** 9)
    class A:
        def __repr__(self): return repr(self)
    repr(A())
def in_threads():
    for _ in range(3): threading.Thread(target=loops, daemon=True).start()
    loops()
def shuts(): os.close(3)
def hangs_up(): os.dup2(0, 3)
def hoards():
    held = []
    while True: held.append(np.ones(1 << 21))
def huge(): return np.zeros(1 << 40)
def threads():
    started = 0
    try:
        for _ in range(2000):
            threading.Thread(target=time.sleep, args=(60,), daemon=True).start()
            started += 1
    except RuntimeError:
        pass
    return started
def fills(): open("/tmp/filled", "wb").write(bytes(1 << 20))

def frame(head, body=b""):
    return wire.frames.PREFIX.pack(b"AGW1", len(head), len(body)) + head + body
def done(identity, *values):
    head, buffers = wire.encode_done(identity, values, "")
    return frame(head, b"".join(buffers))
def serial():  # the number of the request at hand is in our own process: it can be read
    return sys._getframe(2).f_locals["request"].id
def garbage(): os.write(3, b"garbage" * 10)
def other_id(): os.write(3, done(serial() + 1, 1.0))
def hello(): os.write(3, frame(wire.encode(wire.Hello(["limits"]))[0]))
def bomb(): os.write(3, frame(b"\\x91" * 900_000))
def claims(): os.write(3, wire.frames.PREFIX.pack(b"AGW1", 10, 1 << 62))
def lies():
    node = wire.values.ArrayNode("float64", [1 << 20])
    os.write(3, frame(wire.encode(wire.Done(serial(), [node], ""))[0]))
def text(): os.write(3, frame(wire.encode(wire.Done(serial(), ["x" * 70_000], ""))[0]))
def twice(): os.write(3, done(serial(), 2.0, )); return 3.0
def late(): threading.Timer(0.02, os.write, (3, b"late")).start(); return 1
def dies_later(): threading.Timer(0.02, os._exit, (0,)).start(); return 1
"""


@pytest.fixture
def worker(forking, student):
    """A worker that can end in every way there is."""
    return student(forking, HELPLESS)


@pytest.mark.parametrize("function", ["loops", "sleeps", "deaf", "waits_for_itself"])
def test_no_answer_in_time_ends_it(sandbox, student, gone, function):
    """The process is gone when the call returns, and the next worker is to be had."""
    worker = student(sandbox, HELPLESS)
    pid = worker.pid

    began = time.monotonic()
    with pytest.raises(WorkerEnded, match="no answer within the time limit") as raised:
        worker(function, seconds=0.3)
    took = time.monotonic() - began

    assert raised.value.ending is Ending.TIME
    assert 0.3 <= took < 1.5
    assert gone(pid, seconds=0)
    assert student(sandbox, HELPLESS)("fine") == 1


def test_a_large_argument_is_no_way_around_the_deadline(sandbox, student, gone):
    """A worker that stops reading while megabytes are on their way runs out of time too."""
    worker = student(sandbox, "def f(x): return 1")
    pid = worker.pid
    os.kill(pid, signal.SIGSTOP)

    with pytest.raises(WorkerEnded) as raised:
        worker("f", np.zeros(1 << 22), seconds=0.2)

    assert raised.value.ending is Ending.TIME
    assert gone(pid, seconds=0)


@pytest.mark.parametrize(
    ("function", "how"),
    [
        ("exits", "exit code 0"),
        ("segfaults", "SIGSEGV"),
        ("aborts", "killed by SIG"),
        ("shuts", "exit code|SIGKILL"),
        ("hangs_up", "exit code|SIGKILL"),
    ],
)
def test_a_worker_that_ends_itself_has_died(sandbox, student, gone, function, how):
    """How, is for the instructor: the student chose it, and could have chosen it to tell a tale."""
    worker = student(sandbox, HELPLESS)
    pid = worker.pid

    with pytest.raises(WorkerEnded, match=how) as raised:
        worker(function)

    assert raised.value.ending is Ending.DIED
    assert gone(pid, seconds=0)
    with pytest.raises(WorkerEnded, match="it had ended before this call"):
        worker("fine")


@pytest.mark.parametrize("code", [1, 111, 255])
def test_an_exit_code_is_told_to_the_instructor_alone(worker, code):
    """It stands in the detail, whatever it is, our own code for a refusal included."""
    with pytest.raises(WorkerEnded, match=f"exit code {code}") as raised:
        worker("exits_with", code)

    assert raised.value.ending is Ending.DIED


def test_the_limit_of_cpu_is_a_limit_of_time(forking, student):
    """All its calls and threads together; that it was killed for it is not a crash."""
    worker = student(forking, HELPLESS, WorkerLimits(memory_mb=256, cpu_seconds=1))

    with pytest.raises(WorkerEnded, match="SIGXCPU") as raised:
        worker("in_threads")

    assert raised.value.ending is Ending.TIME


@pytest.mark.parametrize("function", ["hoards", "huge"])
def test_too_much_memory_is_an_exception_that_it_survives(sandbox, student, function):
    """The limit is the process's own: the machine never notices."""
    worker = student(sandbox, HELPLESS)

    with pytest.raises(StudentRaised) as raised:
        worker(function)

    assert raised.value.kind in {"MemoryError", "_ArrayMemoryError"}
    assert worker("fine") == 1


def test_threads_are_few_and_end_with_it(forking, student, gone):
    """A thread bomb is bounded by the limits, and does not keep the worker alive."""
    worker = student(forking, HELPLESS)
    pid = worker.pid

    started = worker("threads")

    own_uid = has_layer(forking.confinement.layers, UID)
    assert 0 < started < (32 if own_uid else 500)
    worker.worker.kill()
    assert gone(pid, seconds=0)


@pytest.mark.parametrize(
    "function", ["garbage", "other_id", "hello", "bomb", "claims", "lies", "text"]
)
def test_an_answer_that_is_no_reply_gives_the_worker_up(sandbox, student, gone, function):
    """Random bytes, another request's number, a greeting, nesting, claims, lies, too much text."""
    worker = student(sandbox, HELPLESS)
    pid = worker.pid

    with pytest.raises(WorkerEnded) as raised:
        worker(function)

    assert raised.value.ending is Ending.REPLY
    assert gone(pid, seconds=0)
    assert sandbox.alive()


@pytest.mark.parametrize(("function", "value"), [("twice", 2.0), ("late", 1)])
def test_a_worker_that_speaks_before_it_is_asked_is_given_up(worker, function, value):
    """A second answer cannot become the answer to the next call."""
    assert worker(function) == value
    assert select.select([worker.worker._channel], [], [], 5)[0]

    with pytest.raises(WorkerEnded, match="spoke before it was asked") as raised:
        worker("fine")

    assert raised.value.ending is Ending.REPLY


def test_a_worker_that_ends_between_two_calls_has_died(worker):
    """That is no answer of the wrong kind."""
    assert worker("dies_later") == 1
    assert select.select([worker.worker._channel], [], [], 5)[0]

    with pytest.raises(WorkerEnded) as raised:
        worker("fine")

    assert raised.value.ending is Ending.DIED


def test_a_process_that_holds_the_channel_open_hides_no_end(mode, student, gone):
    """Where it can fork, the worker's own end counts, and what it left behind is ended with it."""
    sandbox = mode(SECCOMP)
    source = """
import os, time
def f():
    reading, writing = os.pipe()
    if os.fork() == 0:
        os.setsid()
        if os.fork():
            os._exit(0)
        os.write(writing, str(os.getpid()).encode())
        time.sleep(60)
        os._exit(0)
    return int(os.read(reading, 20))
def g(): os._exit(3)
"""
    worker = student(sandbox, source)
    daemon = worker("f")
    assert os.path.exists(f"/proc/{daemon}")

    began = time.monotonic()
    with pytest.raises(WorkerEnded, match="exit code 3"):
        worker("g")

    assert time.monotonic() - began < 2
    assert gone(daemon, seconds=0)
    assert sandbox.alive()


def test_recursion_without_end_is_survived_one_way_or_the_other(forking, student):
    """An exception where Python counts the depth of the C stack, a crash where it does not."""
    worker = student(forking, HELPLESS)

    with pytest.raises((StudentRaised, WorkerEnded), match=r"RecursionError|SIGSEGV"):
        worker("overflows")

    assert student(forking, HELPLESS)("fine") == 1


def test_an_argument_that_cannot_be_sent_costs_no_worker(worker):
    """It is the grader's mistake, and is said before anything is sent."""
    with pytest.raises(TypeError, match="an argument of fine cannot be sent: a set"):
        worker("fine", {1})

    assert worker("fine") == 1


@pytest.mark.parametrize("error", [KeyboardInterrupt, MemoryError])
def test_an_interrupted_call_leaves_no_worker(worker, monkeypatch, gone, error):
    """Its answer may still be on the way, and must not meet the next call."""
    pid = worker.pid

    def interrupted(*_arguments, **_named):
        raise error

    monkeypatch.setattr(wire, "receive", interrupted)
    with pytest.raises(error):
        worker("fine")

    assert gone(pid, seconds=0)
    assert not worker.worker.alive
