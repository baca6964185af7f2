"""Whatever a worker asks of honest functions: it is answered by a value or by a kind of exception,
or it is no question; and it costs the grading process no more than it may."""

from __future__ import annotations

import builtins
import contextlib
import resource
from pathlib import Path
from typing import Any

import msgspec
import numpy as np
import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from autograder import wire
from autograder.grading.references import References
from autograder.manifest import find_course
from autograder.sandbox import Answer, StudentRaised, WorkerEnded
from autograder.sandbox.serving import Server, _answered
from autograder.wire.frames import MAX_HEAD
from autograder.wire.nodes import ArrayNode
from autograder.wire.values import Encoder

from ..fuzzing import carried, examples, texts
from .test_sandbox_replies import asked, framed

ASSIGNMENT = find_course(Path(__file__).parents[3]).assignment("self_attention")
REFERENCES = References(ASSIGNMENT)
SERVED = {
    name: getattr(REFERENCES, name)
    for question in ASSIGNMENT.manifest.questions
    for name in question.functions
}
X = np.arange(24.0).reshape(2, 4, 3)
W = np.eye(3)
ASKED: dict[str, list[Any]] = {  # what an honest student's step asks
    "project_qkv": [X, W, W, W],
    "attention_scores": [X, X],
    "scale_scores": [X, 3],
    "softmax": [X],
    "attention_output": [X, X[:, :3]],
    "self_attention": [X, W, W, W],
}

SMALL, LARGE = [1, 2, 3, 40], [1, 2, 3, 8_192, 1 << 31]  # other axes of an array of no entries
shapes = st.lists(st.sampled_from([0, 1, 2, 3, -1, 33, 1 << 16, 1 << 31, 1 << 62]), max_size=5)
names = st.sampled_from(["q", "k", "x", "scores", "d_k", "weights", "v", "self", "__class__"])


def nothing(before: list[int], after: list[int]) -> Any:
    """An array without entries: what is made of it may be large, or may never end."""
    try:
        return np.zeros((*before, 0, *after))
    except ValueError:  # longer than numpy has axes
        return np.zeros(0)


def others(sizes: list[int]) -> st.SearchStrategy[Any]:
    """Arguments in the place of honest ones."""
    sides = st.lists(st.sampled_from(sizes), max_size=3)
    known = st.sampled_from([X.T, X[0], X > 3, 1 << 40, 0, 2.5])
    return carried | st.builds(nothing, sides, sides) | known


@st.composite
def questions(draw: st.DrawFn, sizes: list[int]) -> tuple[wire.Ask, bytes]:
    """An honest question with other arguments, too few or too many, by any name, of any size."""
    function = draw(st.sampled_from(sorted(SERVED)))
    values = list(ASKED[function])
    for _ in range(draw(st.integers(0, 2))):
        at = draw(st.integers(0, len(values)))
        values[at : at + draw(st.integers(0, 1))] = [draw(others(sizes))]
    encoder = Encoder()
    nodes = [encoder.value(value) for value in values[: draw(st.integers(0, 9))]]
    body = b"".join(encoder.buffers)
    if draw(st.integers(0, 4)) == 0:
        nodes.append(ArrayNode("float64", draw(shapes)))
        body += draw(st.binary(max_size=64))
    named = draw(st.lists(names | texts, max_size=draw(st.sampled_from([0, 0, 3]))))
    asked = draw(st.sampled_from([*[function] * 9, "secret", "__class__", ""]))
    return wire.Ask(1, asked, named, nodes), body


def kinds() -> set[str]:
    """The exceptions that every Python has."""
    found = vars(builtins).items()
    return {name for name, one in found if isinstance(one, type) and issubclass(one, Exception)}


def assert_answer(frame: wire.Frame) -> None:
    """It is a value, or the kind of an exception that every Python has, and no word more."""
    head, buffers = frame
    reply = wire.decode_request(head)
    assert len(head) <= MAX_HEAD
    if isinstance(reply, wire.NotServed):
        assert reply.kind in kinds()
    else:
        assert isinstance(reply, wire.Served)
        wire.decode_values([reply.node], b"".join(buffers))


@examples(150)
@given(questions(SMALL))
@example((wire.Ask(1, "softmax", [], [(1 << 64) - 1]), b""))
@example((wire.Ask(1, "scale_scores", ["d_k", "d_k"], [1.0, 2, 3]), b""))
@example((wire.Ask(1, "scale_scores", [], [1.0, 0]), b""))
@example((wire.Ask(1, "softmax", [], [1.0], [1.0]), b""))
@example((wire.Ask(1, "softmax", [], [1.0], [], [None, "x"]), b""))
@example((wire.Ask(1, "attention_scores", [], [ArrayNode("bool", [1 << 20, 0])] * 2), b""))
def test_a_question_is_answered_by_a_value_or_a_kind_or_is_none(question):
    """Nothing else comes out of it, and the limit of memory is as it was."""
    ask, body = question
    before = resource.getrlimit(resource.RLIMIT_AS)

    if ask.function in SERVED:
        with contextlib.suppress(wire.WireError):
            assert_answer(_answered(ask, bytearray(body), SERVED))

    assert resource.getrlimit(resource.RLIMIT_AS) == before


@examples(25)
@given(st.lists(questions(LARGE), min_size=1, max_size=3))
def test_one_server_answers_in_turn_whatever_it_is_asked(several):
    """However long it would take: then it is ended, and answers again."""
    server = Server(SERVED)
    try:
        for ask, body in several:
            with contextlib.suppress(wire.WireError, wire.DeadlinePassed):
                assert_answer(server.answer(ask, bytearray(body), wire.Deadline.after(0.5)))
        last = wire.Ask(1, "softmax", [], [1.0]), bytearray(), wire.Deadline.after(20)
        assert_answer(server.answer(*last))
    finally:
        server.close()


@pytest.mark.parametrize("function", sorted(SERVED))
def test_an_honest_question_is_answered_by_what_the_reference_gives(function):
    """So what is asked above is asked of functions that answer."""
    head, sent = wire.encode_ask(1, function, [], ASKED[function])

    head, buffers = _answered(wire.decode_reply(head), bytearray(b"".join(sent)), SERVED)

    (value,) = wire.decode_values([wire.decode_request(head).node], b"".join(buffers))
    right = SERVED[function](*ASKED[function])
    got, expected = (one if isinstance(one, tuple) else (one,) for one in (value, right))
    assert all(map(np.array_equal, got, expected))


heads = st.fixed_dictionaries(
    {
        "type": st.sampled_from(["ask", "ask", "ask", "done", "raised", "hello", "served", "load"]),
        "id": st.sampled_from([1, 1, 1, 0, -1]),
        "function": st.sampled_from(["softmax", "softmax", "secret"]) | texts,
        "names": st.lists(texts, max_size=1),
        "arguments": st.lists(st.none() | st.floats() | texts, max_size=2),
        "nodes": st.lists(st.none() | st.floats(), max_size=2),
        "output": texts,
        "kind": texts,
        "message": texts,
        "where": st.just([]),
        "node": st.none() | st.floats(),
        "layers": st.lists(texts, max_size=1),
    }
)


@examples(80)
@given(st.lists(heads.map(lambda head: framed(msgspec.msgpack.encode(head))), max_size=5))
def test_a_call_with_any_questions_meanwhile_ends_in_one_of_three_ways(sent):
    """However many, of whom and about what; other messages among them."""
    came = asked(b"".join(sent), softmax=SERVED["softmax"])

    assert isinstance(came, (Answer, StudentRaised, WorkerEnded))
