"""Frames that are almost right, of every message and in both directions: a value within the caps or
one of three exceptions, and no more memory than a stated multiple of what arrived."""

from __future__ import annotations

import contextlib
import socket
import struct
import threading
import tracemalloc
from typing import Any

import msgspec
import numpy as np
import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from autograder import wire
from autograder.wire.frames import MAX_HEAD, PREFIX
from autograder.wire.nodes import DTYPES, MAX_DEPTH, MAX_NODES, MAX_TEXT
from autograder.wire.tensors import dtype_of, is_tensor

from ..fuzzing import damaged, examples, ndarrays, places, put, texts, values, wounds

HEAD_COSTS, BODY_COSTS = 32, 2  # bytes of memory at most for each byte of a head, of a body
pack, unpack = msgspec.msgpack.encode, msgspec.msgpack.decode
ATOMS = (type(None), bool, int, float, str, wire.Foreign)

names = st.sampled_from(["", "f", "double", "n_q", "../x", "\x1b[2J"]) | texts
sendable = st.lists(values | ndarrays, max_size=3)
many = st.lists(names, max_size=3)
where = st.builds(wire.Where, names, st.integers(-(1 << 63), (1 << 64) - 1), names)
hows = st.builds(
    wire.How,
    sendable.map(tuple),
    st.none() | sendable.map(tuple),
    st.dictionaries(names, values | ndarrays, max_size=3),
    st.sampled_from(["called", "measured", "moved", "described"]),
)
frames = st.one_of(
    st.builds(wire.encode_done, st.integers(0, 9), sendable, names),
    st.builds(wire.encode_ask, st.integers(0, 9), names, many, sendable, sendable, sendable),
    st.builds(wire.encode_call, st.integers(0, 9), names, names, many, sendable, hows),
    st.builds(wire.encode_served, values),
    st.builds(
        wire.encode,
        st.builds(wire.Raised, st.integers(0, 9), names, names, st.lists(where, max_size=3), names)
        | st.builds(wire.Hello, many, names)
        | st.builds(wire.NotServed, names)
        | st.builds(wire.Load, st.integers(0, 9), st.dictionaries(names, names), names),
    ),
)
tags = st.sampled_from(
    [
        *"done raised hello ask load call served".split(),
        "not served",
        "list",
        "tensor",
        "function",
        "dtype",
    ]
)
shapes = st.lists(st.sampled_from([0, 1, 2, 1 << 31]), max_size=34) | st.lists(
    st.sampled_from([0, 1, -1, 1 << 32, 1 << 62]), max_size=4
)
kinds = st.sampled_from([*DTYPES.values(), "bfloat16", "object", "longdouble", "V2", "a function"])
large = (  # just within the caps, or just not
    st.sampled_from([MAX_TEXT, MAX_TEXT + 1]).map(lambda length: "x" * length)
    | st.sampled_from([MAX_NODES - 2, MAX_NODES + 1]).map(lambda count: listed([None] * count))
    | st.integers(MAX_DEPTH - 2, MAX_DEPTH + 1).map(lambda depth: nest(None, depth))
)
lies = st.one_of(
    st.none() | st.booleans() | st.floats() | names | st.binary(max_size=3),
    st.sampled_from([-1, 0, 1, 2, 3, 33, 1 << 31, 1 << 32, -(1 << 63), (1 << 64) - 1]),
    tags | kinds | shapes,
    large,
    st.lists(st.none() | st.tuples(names, st.none()), max_size=3).map(lambda items: listed(items)),
)
LIES = {"shape": shapes, "dtype": kinds, "type": tags, "nodes": large.map(lambda one: [one])}


def listed(items: list[Any]) -> Any:
    """A list of nodes, as a node."""
    return {"type": "list", "items": items}


def nest(node: Any, depth: int) -> Any:
    """A node in so many lists."""
    for _ in range(depth):
        node = listed([node])
    return node


def done(node: object) -> bytes:
    """The head of a reply that holds this node, whatever it is."""
    return pack({"type": "done", "id": 1, "nodes": [node], "output": ""})


def as_map(pairs: list[tuple[bytes, bytes]]) -> bytes:
    """MessagePack of a message with these fields, one of them perhaps twice."""
    return b"\xdf" + struct.pack(">I", len(pairs)) + b"".join(map(b"".join, pairs))


@st.composite
def lying(draw: st.DrawFn) -> tuple[bytes, bytes]:
    """A right frame with a few other values, and fields that lack, come twice or are new."""
    head, buffers = draw(frames)
    tree = unpack(head)
    for _ in range(draw(st.integers(0, 2))):
        ways = places(tree)
        told = [way for way in ways if {"shape", "nodes", "arguments", "node"} & {*way}]
        way = draw(st.sampled_from(ways) | st.sampled_from(told or ways))
        tree = put(tree, way, draw(LIES.get(way[-1] if way else "", lies) | lies | large))
    if not isinstance(tree, dict):
        return pack(tree), b"".join(buffers)
    pairs = [(pack(key), pack(one)) for key, one in tree.items()]
    for _ in range(draw(st.integers(0, 2))):
        field = draw(names.map(pack) | st.sampled_from([*(key for key, _ in pairs), b"\x01"]))
        pairs.insert(draw(st.integers(0, len(pairs))), (field, pack(draw(lies))))
    return as_map(draw(st.permutations(pairs))[: draw(st.integers(0, 9))]), b"".join(buffers)


claims = st.sampled_from([b"\xdd", b"\xdf", b"\xdb", b"\xc6", b"\xc9"]).map(
    lambda code: code + b"\xff" * 4
)
harm = wounds | st.tuples(st.integers(0, 1 << 16), st.integers(0, 9), claims)


def weighed(value: Any, depth: int = 0) -> tuple[int, int]:
    """How many nodes and bytes of arrays a value has, which is plain and within the caps."""
    assert depth <= MAX_DEPTH
    if type(value) is np.ndarray:
        assert value.dtype in DTYPES
        return 1, value.nbytes
    if is_tensor(value):
        assert dtype_of(value)
        return 1, value.nbytes
    if type(value) in ATOMS:
        assert type(value) is not str or len(value) <= MAX_TEXT
        return 1, 0
    assert type(value) in (list, tuple, dict)
    inner = [weighed(one, depth + 1) for one in (value.values() if type(value) is dict else value)]
    return 1 + sum(count for count, _ in inner), sum(size for _, size in inner)


def read(head: bytes, body: bytes) -> None:
    """All that either side does with a frame, once it has arrived."""
    for decode in (wire.decode_reply, wire.decode_request):
        try:
            message = decode(head)
            if isinstance(message, wire.Ask):
                asked = wire.decode_ask(message, body)
                got = [*asked.values, *asked.upstream, *asked.tangents]
            elif isinstance(message, wire.Call):
                given = wire.decode_call(message, body, "a function".format)
                got = [*given.values, *given.how.upstream, *(given.how.construct or ())]
            elif isinstance(message, wire.Done):
                values, gradients = wire.decode_done(message, body)
                got = [*values, *gradients]
            else:
                nodes = [message.node] if isinstance(message, wire.Served) else []
                got = wire.decode_values(nodes, body)
        except wire.WireError:
            continue
        count, size = weighed(got, -1)
        assert count <= MAX_NODES + 1
        assert size <= len(body)


def weighed_reading(head: bytes, body: bytes) -> int:
    """The most memory that reading held at once."""
    tracemalloc.start()
    try:
        read(head, body)
        return tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()


@examples(250)
@given(lying())
@example((done("x" * (MAX_TEXT + 1)), b""))
@example((done({"type": "array", "dtype": "int8", "shape": [0, 1 << 31, 1 << 31, 1 << 31]}), b""))
def test_a_frame_that_lies_is_refused_or_read_within_the_caps(frame):
    """Another type or size anywhere, another message's tag, fields that lack or come twice."""
    read(*frame)


@examples(150)
@given(frames, st.lists(harm, min_size=1, max_size=4))
def test_a_frame_that_was_damaged_is_refused_or_read_within_the_caps(frame, several):
    """Bytes of the head that are others, that lack or that are too many; claims of 4 GB in it."""
    head, buffers = frame

    read(damaged(head, several), b"".join(buffers))


@examples(100)
@given(frames, st.lists(harm, max_size=2), st.integers(0, 1 << 16) | st.none())
def test_whatever_arrives_is_a_whole_frame_or_none(frame, several, cut):
    """Its prefix, head and body may say anything, and the other side may stop at any byte."""
    head, buffers = frame
    body = b"".join(buffers)
    sent = damaged(PREFIX.pack(b"AGW1", len(head), len(body)) + head + body, several)[:cut]
    ours, theirs = socket.socketpair()

    def send() -> None:
        with contextlib.suppress(OSError), theirs:  # nobody may be there any more
            theirs.sendall(sent)

    peer = threading.Thread(target=send)
    peer.start()
    try:
        got, rest = wire.receive(ours, wire.Deadline.after(10), max_head=1 << 18, max_body=1 << 20)
    except (wire.WireError, wire.ChannelClosed):
        pass
    else:
        assert sent[PREFIX.size :].startswith(bytes(got + rest))
        read(got, rest)
    finally:
        ours.close()
        peer.join()


def head_of(field: str, content: bytes, **others: object) -> bytes:
    """A message with these bytes in the place of one field's value."""
    pairs = [(pack(key), pack(one)) for key, one in {**others, field: None}.items()]
    return as_map([*pairs[:-1], (pairs[-1][0], content)])


def full_of(item: bytes) -> bytes:
    """A list of as many of these as there is room for in a head."""
    count = (MAX_HEAD - 200) // len(item)
    return b"\xdd" + struct.pack(">I", count) + item * count


ITEM = {"type": "list", "items": []}
DEAR = {  # what takes most room in memory for its bytes, by where it may stand
    "numbers": head_of("nodes", full_of(b"\xcd\xff\xff"), type="done", id=1, output=""),
    "words": head_of("nodes", full_of(b"\xa2ab"), type="done", id=1, output=""),
    "lists": head_of("nodes", full_of(pack(ITEM)), type="done", id=1, output=""),
    "a dictionary": head_of(
        "node", head_of("items", full_of(b"\x92\xa2ab\xc0"), type="dict"), type="served"
    ),
    "names": head_of("names", full_of(b"\xa2ab"), type="ask", id=1, function="f", arguments=[]),
    "layers": head_of("layers", full_of(b"\xa2ab"), type="hello"),
    "a field that is not ours": head_of("more", full_of(b"\x81\xa2ab\xc0"), type="served", node=1),
}


@pytest.mark.parametrize("head", DEAR.values(), ids=DEAR)
def test_the_dearest_heads_cost_no_more_than_so_many_times_their_bytes(head):
    """As large as a head may be, and full of one thing."""
    assert MAX_HEAD - 400 < len(head) <= MAX_HEAD
    assert weighed_reading(head, b"") <= HEAD_COSTS * MAX_HEAD


@examples(60)
@given(lying(), st.lists(harm, max_size=2))
@example((wire.encode_done(1, [np.zeros(1 << 17, bool)], "")[0], bytes(1 << 17)), [])
@example((done(nest(None, 400)), b""), [])
def test_reading_costs_no_more_than_so_many_times_what_arrived(frame, several):
    """Whatever a head claims, memory is taken for what is there."""
    head, body = frame
    head = damaged(head, several)

    assert weighed_reading(head, body) <= HEAD_COSTS * len(head) + BODY_COSTS * len(body) + 16_384


@pytest.mark.parametrize("opening", [b"\x91", b"\x81\xa0", b"\x81\x91"])
def test_a_field_that_is_not_ours_may_be_as_deep_as_it_likes(opening):
    """It is skipped or refused; neither the decoder nor the interpreter's stack gives way."""
    depth = (MAX_HEAD - 200) // len(opening)

    read(head_of("more", opening * depth + b"\xc0", type="served", node=1), b"")
    read(head_of("more", opening * depth + b"\xc0", type="hello", layers=[]), b"")
