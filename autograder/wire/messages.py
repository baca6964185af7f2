"""What the two sides say to each other, as typed messages; nothing is sent or received here."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import msgspec

from autograder.wire.frames import MAX_HEAD
from autograder.wire.values import (
    TOO_LARGE,
    Buffer,
    Encoder,
    Foreign,
    Node,
    Value,
    WireError,
    decode_values,
)


class Load(msgspec.Struct, frozen=True, tag="load"):
    """Take these files (module name → source; the first time only) and import one of them.

    The functions of `served`, by module, are the grader's: each call of one is an `Ask`.
    """

    id: int
    files: dict[str, str]
    module: str
    served: dict[str, list[str]] = {}


class Call(msgspec.Struct, frozen=True, tag="call"):
    """Call a function of a loaded module; positional arguments first, then those in `names`.

    Where there are gradients in `upstream`, one for each tensor of the answer, those of the
    arguments are asked for.
    """

    id: int
    module: str
    function: str
    names: list[str]
    arguments: list[Node]
    upstream: list[Node] = []


class Ask(msgspec.Struct, frozen=True, tag="ask"):
    """While it answers request `id`, the worker asks for a served function's value."""

    id: int
    function: str
    names: list[str]
    arguments: list[Node]


class Served(msgspec.Struct, frozen=True, tag="served"):
    """What a served function gave, which answers an `Ask`."""

    node: Node


class NotServed(msgspec.Struct, frozen=True, tag="not served"):
    """A served function raised an exception of this kind."""

    kind: str


class Where(msgspec.Struct, frozen=True):
    """One line of a student's file, in a traceback."""

    file: str
    line: int
    function: str


class Done(msgspec.Struct, frozen=True, tag="done"):
    """The call returned. `nodes` holds the value, then the arguments as the call left them;
    `gradients` one for each argument, None where none reaches it."""

    id: int
    nodes: list[Node]
    output: str
    gradients: list[Node] = []


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


Request = Load | Call | Served | NotServed
Reply = Done | Raised | Hello | Ask
Frame = tuple[bytes, list[bytes]]

_encoder = msgspec.msgpack.Encoder()
_requests = msgspec.msgpack.Decoder(Request)
_replies = msgspec.msgpack.Decoder(Reply)


def encode(message: Request | Reply, buffers: Sequence[bytes] = ()) -> Frame:
    """A message and its arrays' bytes as one frame."""
    return _encoder.encode(message), list(buffers)


def encode_call(
    identity: int,
    module: str,
    function: str,
    names: list[str],
    values: Sequence[object],
    upstream: Sequence[object] = (),
) -> Frame:
    """A `Call` with these arguments, as one frame.

    Raises:
        TypeError: one of them cannot be sent.
    """
    nodes, buffers = _sendable(f"an argument of {function}", [*values, *upstream])
    arguments, above = nodes[: len(values)], nodes[len(values) :]
    return encode(Call(identity, module, function, names, arguments, above), buffers)


def encode_ask(identity: int, function: str, names: list[str], values: Sequence[object]) -> Frame:
    """An `Ask` with these arguments, as one frame; raises as `encode_call`."""
    nodes, buffers = _sendable(f"an argument of {function}", values)
    return encode(Ask(identity, function, names, nodes), buffers)


def encode_served(value: object) -> Frame:
    """A `Served` with this value, as one frame; raises TypeError where it cannot be sent."""
    nodes, buffers = _sendable("the value", [value])
    return encode(Served(nodes[0]), buffers)


class Arguments(NamedTuple):
    """What a function is called with."""

    positional: list[Value]
    named: dict[str, Value]
    upstream: list[Value]

    @property
    def values(self) -> list[Value]:
        """All arguments, in order."""
        return [*self.positional, *self.named.values()]


def decode_arguments(request: Call | Ask, body: Buffer) -> Arguments:
    """The arguments of a call, and the gradients that come with it; raises `WireError`."""
    upstream = request.upstream if isinstance(request, Call) else []
    values = decode_values([*request.arguments, *upstream], body)
    several = len(request.arguments)
    count = several - len(request.names)
    if count < 0:
        raise WireError("more names than arguments")
    named = dict(zip(request.names, values[count:several], strict=True))
    return Arguments(values[:count], named, values[several:])


def _sendable(what: str, values: Sequence[object]) -> tuple[list[Node], list[bytes]]:
    encoder = Encoder()
    nodes = [encoder.value(value) for value in values]
    if encoder.foreign:
        raise TypeError(f"{what} cannot be sent: {encoder.foreign[0]}")
    return nodes, encoder.buffers


def encode_done(
    identity: int, values: Sequence[object], output: str, gradients: Sequence[object] = ()
) -> Frame:
    """A `Done` with these values, as one frame.

    When they are too much, the first goes alone; when that is too much, a `Foreign` in its place.
    """
    for sent, below in ((values, gradients), (values[:1], ()), ([Foreign(TOO_LARGE)], ())):
        encoder = Encoder()
        nodes = [encoder.value(value) for value in (*sent, *below)]
        done = Done(identity, nodes[: len(sent)], output, nodes[len(sent) :])
        head = _encoder.encode(done)
        if len(head) <= MAX_HEAD and Foreign(TOO_LARGE) not in nodes[1:]:
            break
    return head, encoder.buffers


def decode_done(reply: Done, body: Buffer) -> tuple[list[Value], list[Value]]:
    """The value with the arguments after it, and the gradients; raises `WireError`."""
    values = decode_values([*reply.nodes, *reply.gradients], body)
    return values[: len(reply.nodes)], values[len(reply.nodes) :]


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
