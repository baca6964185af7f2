"""Whatever bytes come from the other side end in `WireError`, within the caps and the deadline."""

from __future__ import annotations

import os
import socket
import threading
import time
import tracemalloc

import msgspec
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from autograder import wire
from autograder.wire.frames import MAX_HEAD, PREFIX
from autograder.wire.nodes import MAX_BODY, MAX_DEPTH, MAX_NODES, MAX_TEXT

from ..fuzzing import examples

SOON = 0.2
pack = msgspec.msgpack.encode


@pytest.fixture
def pair():
    """Two connected ends."""
    ends = socket.socketpair()
    yield ends
    for end in ends:
        end.close()


def read(head: bytes, body: bytes) -> None:
    """All that either side does with a frame, once it has arrived."""
    for decode in (wire.decode_reply, wire.decode_request):
        try:
            message = decode(head)
            nodes = getattr(message, "nodes", None) or getattr(message, "arguments", [])
            wire.decode_values(nodes, body)
        except wire.WireError:
            pass


def done(*nodes: object) -> bytes:
    """The head of a reply that holds these nodes, whatever they are."""
    return pack({"type": "done", "id": 1, "nodes": nodes, "output": ""})


def refused(head: bytes, body: bytes = b"") -> None:
    """It is a reply in form only, or not even that."""
    with pytest.raises(wire.WireError):
        wire.decode_values(wire.decode_reply(head).nodes, body)


def array(dtype: object, shape: object) -> dict[str, object]:
    """An array's node, as it stands in the head."""
    return {"type": "array", "dtype": dtype, "shape": shape}


def nested(depth: int) -> object:
    """A list in a list in a list."""
    node: object = None
    for _ in range(depth):
        node = {"type": "list", "items": [node]}
    return node


@examples(100)
@given(st.binary(max_size=200), st.binary(max_size=64))
def test_random_bytes_are_refused(head, body):
    """Neither side raises anything but WireError on them."""
    read(head, body)


anything = st.recursive(
    st.none()
    | st.booleans()
    | st.integers(-(1 << 63), (1 << 64) - 1)
    | st.floats()
    | st.text(max_size=8)
    | st.binary(max_size=8)
    | st.sampled_from(["array", "list", "tuple", "dict", "foreign", "float64", "bool", "a set"]),
    lambda inner: (
        st.lists(inner, max_size=4)
        | st.dictionaries(
            st.sampled_from(["type", "items", "dtype", "shape", "kind"]) | st.integers(0, 3),
            inner,
            max_size=5,
        )
    ),
    max_leaves=20,
)
nodes = st.recursive(
    anything
    | st.builds(array, st.sampled_from(["float64", "bool", "int8"]) | anything, anything)
    | st.builds(
        array,
        st.sampled_from(["float64", "bool", "int8"]),
        st.lists(st.sampled_from([0, 1, 2, 3, -1, 1 << 31, 1 << 32, 1 << 62]), max_size=34),
    ),
    lambda inner: st.builds(
        lambda kind, items: {"type": kind, "items": items},
        st.sampled_from(["list", "tuple", "dict"]),
        st.lists(inner | st.tuples(st.text(max_size=3), inner), max_size=4) | anything,
    ),
    max_leaves=10,
)


@examples(100)
@given(
    st.sampled_from(["done", "raised", "hello", "load", "call"]),
    nodes,
    nodes,
    st.binary(max_size=64),
)
def test_messages_that_are_almost_right_are_refused(tag, first, second, body):
    """The right fields with wrong contents: lying shapes, wrong types, unknown kinds."""
    fields = {
        "type": tag,
        "id": 1,
        "nodes": [first, second],
        "arguments": [first, second],
        "output": "",
        "module": "m",
        "function": "f",
        "names": [],
    }

    read(pack(fields), body)


@examples(100)
@given(st.lists(st.tuples(st.integers(0, 1 << 16), st.integers(0, 255)), min_size=1, max_size=6))
def test_damage_to_a_good_frame_is_refused_or_read_as_another_value(damage):
    """Any byte of the head or of the body may be any other."""
    head, buffers = wire.encode_done(1, [np.arange(4.0), {"a": [1, (True, "x")]}], "out")
    frame = bytearray(head + b"".join(buffers))
    for at, value in damage:
        frame[at % len(frame)] = value

    read(bytes(frame[: len(head)]), bytes(frame[len(head) :]))


@pytest.mark.parametrize(
    ("node", "length"),
    [
        (array("float64", [2, 3]), 47),
        (array("float64", [2, 3]), 49),
        (array("float64", [-2, -3]), 48),
        (array("float64", [1 << 62, 1 << 62]), 0),
        (array("float64", [0, 1 << 31, 1 << 31, 1 << 31]), 0),
        (array("uint8", [1] * 33), 1),
        (array("uint8", [1] * 100_000), 1),
        (array("uint8", [1.0]), 1),
        (array("uint8", [True]), 1),
        (array("object", [1]), 8),
        (array("U4", [1]), 16),
        (nested(MAX_DEPTH + 1), 0),
        ({"type": "list", "items": [None] * MAX_NODES}, 0),
        ("x" * (MAX_TEXT + 1), 0),
        ({"type": "foreign", "kind": "a name that a student chose"}, 0),
        ({"type": "dict", "items": [[1, 2]]}, 0),
        (msgspec.msgpack.Ext(1, b"x"), 0),
    ],
    ids=range(17),
)
def test_a_node_that_lies_is_refused(node, length):
    """Sizes, ranks, depth, number and kind are checked against the bytes that are really there."""
    refused(done(node), bytes(length))


@pytest.mark.parametrize("tag", ["list", "tuple", "no node at all"])
def test_nesting_without_end_is_refused(tag):
    """As deep as a head can be: neither the decoder nor the interpreter's stack gives way."""
    opening = b"\x82" + pack({"type": tag})[1:] + pack("items") + b"\x91"
    depth = MAX_HEAD // len(opening) - 10

    refused(done("@").replace(b"\xa1@", opening * depth + b"\xc0"))


@pytest.mark.parametrize(
    ("prefix", "cap"),
    [
        (PREFIX.pack(b"AGW0", 1, 1), 1 << 16),
        (PREFIX.pack(b"AGW1", MAX_HEAD + 1, 0), 1 << 16),
        (PREFIX.pack(b"AGW1", 1, MAX_BODY + 1), 1 << 16),
        (PREFIX.pack(b"AGW1", (1 << 32) - 1, (1 << 64) - 1), 1 << 16),
        (PREFIX.pack(b"AGW1", MAX_HEAD, MAX_BODY), MAX_HEAD + (1 << 16)),
        (PREFIX.pack(b"AGW1", 0, MAX_BODY), MAX_BODY + (1 << 16)),
    ],
    ids=range(6),
)
def test_a_claim_allocates_no_more_than_the_cap(pair, prefix, cap):
    """A frame over the caps is refused by its prefix; one within them may cost what it claims."""
    ours, theirs = pair
    theirs.send(prefix)
    theirs.close()

    tracemalloc.start()
    try:
        with pytest.raises((wire.WireError, wire.ChannelClosed)):
            wire.receive(ours, wire.Deadline.after(SOON))
        peak = tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()

    assert peak < cap


@pytest.mark.parametrize("length", [0, 1, PREFIX.size - 1, PREFIX.size, PREFIX.size + 3])
def test_a_peer_that_closes_in_the_middle_of_a_frame_has_ended(pair, length):
    """Wherever it stops: in the prefix, after it, in the head."""
    ours, theirs = pair
    theirs.send((PREFIX.pack(b"AGW1", 5, 5) + b"headb")[:length])
    theirs.close()

    with pytest.raises(wire.ChannelClosed):
        wire.receive(ours, wire.Deadline.after(SOON))


def test_the_end_of_the_process_is_seen_while_the_channel_stays_open(pair):
    """A process that it left behind may hold the channel open for ever."""
    ours, _theirs = pair
    ended, end = os.pipe()
    os.close(end)

    with pytest.raises(wire.ChannelClosed):
        wire.receive(ours, wire.Deadline.after(5), ended=ended)

    os.close(ended)


@pytest.mark.parametrize("drip", [b"", b"A"], ids=["silent", "a byte at a time"])
def test_the_deadline_is_of_the_whole_frame(pair, drip):
    """Sending a byte now and then buys no time."""
    ours, theirs = pair
    stop = threading.Event()

    def slowly() -> None:
        theirs.send(PREFIX.pack(b"AGW1", 1000, 0))
        while drip and not stop.wait(SOON / 10):
            theirs.send(drip)

    peer = threading.Thread(target=slowly)
    peer.start()
    began = time.monotonic()
    with pytest.raises(wire.DeadlinePassed):
        wire.receive(ours, wire.Deadline.after(SOON))
    took = time.monotonic() - began
    stop.set()
    peer.join()

    assert SOON <= took < 5 * SOON


def test_a_peer_that_does_not_read_cannot_hold_up_the_sender(pair):
    """However small its buffers are, and however much is still to be sent."""
    ours, _theirs = pair
    ours.setsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF, 1)
    ours.setblocking(False)

    began = time.monotonic()
    with pytest.raises(wire.DeadlinePassed):
        wire.send(ours, b"head", [bytes(1 << 22)], wire.Deadline.after(SOON))

    assert time.monotonic() - began < 10, "it would be held up for ever"


def test_a_peer_that_has_gone_is_seen_by_the_sender(pair):
    """A broken pipe is no exception of its own."""
    ours, theirs = pair
    theirs.close()

    with pytest.raises(wire.ChannelClosed):
        wire.send(ours, b"head", [bytes(1 << 20)], wire.Deadline.after(SOON))


def test_a_frame_arrives_whole_however_it_is_cut(pair):
    """Head and body are put together again from pieces of any size."""
    ours, theirs = pair
    head, buffers = wire.encode_done(3, [np.arange(5000.0)], "said")
    body = b"".join(buffers)
    frame = PREFIX.pack(b"AGW1", len(head), len(body)) + head + body

    def in_pieces() -> None:
        for at in range(0, len(frame), 1001):
            theirs.sendall(frame[at : at + 1001])

    peer = threading.Thread(target=in_pieces)
    peer.start()
    got = wire.receive(ours, wire.Deadline.after(5))
    peer.join()

    assert (bytes(got[0]), bytes(got[1])) == (head, body)
