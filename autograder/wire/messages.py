"""What the two sides say to each other, as typed messages; nothing is sent or received here."""

from __future__ import annotations

from collections.abc import Sequence

import msgspec

from autograder.wire.how import Way
from autograder.wire.nodes import Buffer, Node, WireError


class Load(msgspec.Struct, frozen=True, tag="load"):
    """Take these files (module name → source; the first time only) and import one of them.

    The functions of `served`, by module, are the grader's: each call of one is an `Ask`; those of
    `classes` are classes.
    """

    id: int
    files: dict[str, str]
    module: str
    served: dict[str, list[str]] = {}
    classes: list[str] = []


class Parse(msgspec.Struct, frozen=True, tag="parse"):
    """Say which of these names the files use (module name → source); none of them is run."""

    id: int
    files: dict[str, str]
    names: list[str]


class Call(msgspec.Struct, frozen=True, tag="call"):
    """Call a function of a loaded module, or an instance of a class of it.

    Args:
        arguments: positional ones first, then those in `names`.
        construct, upstream, weights, way, device: see `How`.
    """

    id: int
    module: str
    function: str
    names: list[str]
    arguments: list[Node]
    upstream: list[Node] = []
    construct: list[Node] | None = None
    weights: dict[str, Node] = {}
    way: Way = "called"
    device: str = ""


class Ask(msgspec.Struct, frozen=True, tag="ask"):
    """While it answers request `id`, the worker asks for a served function's value.

    Args:
        upstream: gradients of that value, where those of its floating-point arguments are asked
            for in its place.
        tangents: of the floating-point arguments, where the value's are.
    """

    id: int
    function: str
    names: list[str]
    arguments: list[Node]
    upstream: list[Node] = []
    tangents: list[Node] = []


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
    """The call returned.

    Args:
        nodes: the value, then the arguments as the call left them; an instance's weights count.
        gradients: one for each argument, None where none reaches it.
        measures: what the call cost, by the names of `MEASURES`.
        where: the line at which it came to what it gives, where it was asked for.
    """

    id: int
    nodes: list[Node]
    output: str
    gradients: list[Node] = []
    measures: dict[str, int] = {}
    where: list[Where] = []


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


Request = Load | Parse | Call | Served | NotServed
Reply = Done | Raised | Hello | Ask
Frame = tuple[bytes, list[bytes]]

_encoder = msgspec.msgpack.Encoder()
_requests = msgspec.msgpack.Decoder(Request)
_replies = msgspec.msgpack.Decoder(Reply)


def encode(message: Request | Reply, buffers: Sequence[bytes] = ()) -> Frame:
    """A message and its arrays' bytes as one frame."""
    return _encoder.encode(message), list(buffers)


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
