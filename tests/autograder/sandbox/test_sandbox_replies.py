"""A worker that may send anything at all, against the grading process's end of the channel."""

from __future__ import annotations

import contextlib
import socket
import threading
import time
from collections.abc import Callable

import msgspec
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from autograder import wire
from autograder.sandbox import Answer, StudentRaised, Worker, WorkerEnded
from autograder.sandbox.control import Ended
from autograder.wire.frames import PREFIX

from ..fuzzing import examples, texts

SOON = 5.0


class NoProcess:
    """Stands for a process that is not there."""

    ended = None

    def kill(self) -> Ended | None:
        return None

    def release(self) -> None:
        pass


def asked(reply: bytes, **served: Callable[..., object]) -> Answer | StudentRaised | WorkerEnded:
    """What a call comes to when these bytes are what is sent back, and then the end.

    Args:
        served: what the worker may ask for meanwhile.
    """
    ours, theirs = socket.socketpair()
    worker = Worker(ours, NoProcess(), ())

    def answer() -> None:
        with contextlib.suppress(OSError), theirs:  # it may have been given up by then
            wire.receive(theirs, wire.Deadline.after(SOON))
            theirs.sendall(reply)

    peer = threading.Thread(target=answer)
    peer.start()
    try:
        worker._files = frozenset({"step.py"})
        worker._served = served
        return worker.call("m", "f", [np.arange(3.0)], {}, wire.Deadline.after(SOON))
    except (StudentRaised, WorkerEnded) as error:
        return error
    finally:
        peer.join()
        worker.kill()


def framed(head: bytes, body: bytes = b"") -> bytes:
    """A frame with this head and body."""
    return PREFIX.pack(b"AGW1", len(head), len(body)) + head + body


fields = st.fixed_dictionaries(
    {
        "type": st.sampled_from(["done", "raised", "hello", "call"]),
        "id": st.sampled_from([1, 1, 1, 0, 2, -1]),
        "nodes": st.lists(
            st.none()
            | st.floats()
            | texts
            | st.just({"type": "array", "dtype": "uint8", "shape": [2]}),
            max_size=3,
        ),
        "output": texts,
        "kind": texts,
        "message": texts,
        "where": st.lists(
            st.fixed_dictionaries(
                {
                    "file": st.sampled_from(["step.py", "../secret.py", "\x1b[31m"]),
                    "line": st.integers(-(1 << 63), (1 << 63) - 1),
                    "function": texts,
                }
            ),
            max_size=12,
        ),
    }
)


@examples(100)
@given(
    st.binary(max_size=100)
    | st.binary(max_size=60).map(framed)
    | st.builds(lambda head, body: framed(msgspec.msgpack.encode(head), body), fields, st.binary())
)
def test_a_call_has_three_ways_to_end_and_no_other(reply):
    """A value, an exception of the student's, or the worker's end: whatever bytes come back."""
    came = asked(reply)

    assert isinstance(came, (Answer, StudentRaised, WorkerEnded))
    if isinstance(came, StudentRaised):
        assert len(came.where) <= 8
        assert {line.file for line in came.where} <= {"step.py"}


def test_every_text_of_an_exception_is_bounded():
    """A reply is made by student code: the worker's own bounds are not to be relied on."""
    where = [wire.Where("step.py", 1, "g" * 50_000), wire.Where("/etc/shadow", 1, "f")] * 6
    raised = wire.Raised(1, "K" * 100_000, "m" * 100_000, where, "o" * 100_000)

    came = asked(framed(wire.encode(raised)[0]))

    assert isinstance(came, StudentRaised)
    assert (len(came.kind), len(came.message), len(came.output)) == (80, 2_000, 10_000)
    assert {(line.file, len(line.function)) for line in came.where} == {("step.py", 80)}


@pytest.mark.parametrize("count", [0, 1, 3])
def test_arguments_that_do_not_come_back_in_number_are_not_there(count):
    """The value counts; nothing is said about the arguments."""
    came = asked(framed(wire.encode(wire.Done(1, [1.5] * count, ""))[0]))

    assert came == Answer(1.5 if count else None, None, "")


def test_a_worker_that_does_not_read_holds_nobody_up():
    """However small the channel's buffer is, which is the system's choice."""
    ours, theirs = socket.socketpair()
    ours.setsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF, 1)
    worker = Worker(ours, NoProcess(), ())

    began = time.monotonic()
    with pytest.raises(WorkerEnded, match="no answer within the time limit"):
        worker.call("m", "f", [np.zeros(1 << 20)], {}, wire.Deadline.after(0.2))

    assert time.monotonic() - began < 10, "it would be held up for ever"
    theirs.close()
