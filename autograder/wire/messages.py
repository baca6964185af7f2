"""What the two sides say to each other, as typed messages; nothing is sent or received here."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Union

import msgspec

from autograder.wire.frames import MAX_BODY
from autograder.wire.values import Buffer, Foreign, Node, WireError, encode_values


class Load(msgspec.Struct, frozen=True, tag="load"):
    """Take these files (module name → source; the first time only) and import one of them."""

    id: int
    files: dict[str, str]
    module: str


class Call(msgspec.Struct, frozen=True, tag="call"):
    """Call a function of a loaded module; positional arguments first, then those in `names`."""

    id: int
    module: str
    function: str
    names: list[str]
    arguments: list[Node]


class Where(msgspec.Struct, frozen=True):
    """One line of a student's file, in a traceback."""

    file: str
    line: int
    function: str


class Done(msgspec.Struct, frozen=True, tag="done"):
    """The call returned. `nodes` holds the value, then the arguments as the call left them."""

    id: int
    nodes: list[Node]
    output: str


class Raised(msgspec.Struct, frozen=True, tag="raised"):
    """Student code raised; every text is the student's own and bounded."""

    id: int
    kind: str
    message: str
    where: list[Where]
    output: str


class Hello(msgspec.Struct, frozen=True, tag="hello"):
    """A worker before it has seen a byte of a student's: its layers, or why it refuses to start."""

    layers: list[str]
    refused: str = ""


Request = Union[Load, Call]
Reply = Union[Done, Raised, Hello]
Frame = tuple[bytes, list[bytes]]

_encoder = msgspec.msgpack.Encoder()
_requests = msgspec.msgpack.Decoder(Request)
_replies = msgspec.msgpack.Decoder(Reply)


def encode(message: Request | Reply, buffers: Sequence[bytes] = ()) -> Frame:
    """A message and its arrays' bytes as one frame."""
    return _encoder.encode(message), list(buffers)


def encode_call(
    identity: int, module: str, function: str, names: list[str], values: Sequence[object]
) -> Frame:
    """A `Call` with these arguments, as one frame."""
    nodes, buffers = encode_values(values)
    return encode(Call(identity, module, function, names, nodes), buffers)


def encode_done(identity: int, values: Sequence[object], output: str) -> Frame:
    """A `Done` with these values, as one frame; too much to send becomes one `Foreign`."""
    nodes, buffers = encode_values(values)
    if sum(map(len, buffers)) > MAX_BODY:
        nodes, buffers = [Foreign("a structure too large to send")], []
    return encode(Done(identity, nodes, output), buffers)


def decode_request(head: Buffer) -> Request:
    """The head of a frame from the grading process; raises `WireError`."""
    try:
        return _requests.decode(head)
    except (msgspec.MsgspecError, RecursionError, UnicodeDecodeError) as error:
        raise WireError(f"not a request: {type(error).__name__}") from None


def decode_reply(head: Buffer) -> Reply:
    """The head of a frame from a worker; raises `WireError`."""
    try:
        return _replies.decode(head)
    except (msgspec.MsgspecError, RecursionError, UnicodeDecodeError) as error:
        raise WireError(f"not a reply: {type(error).__name__}") from None
