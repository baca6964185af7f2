"""Messages with values in them ⇄ the values: calls and what came of them, questions and answers."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from autograder.wire.frames import MAX_HEAD
from autograder.wire.how import PLAIN, How
from autograder.wire.messages import Ask, Call, Done, Frame, Served, Where, encode
from autograder.wire.nodes import TOO_LARGE, Buffer, Foreign, Node, Value, WireError
from autograder.wire.values import Encoder, Found, Function, decode_values


def encode_call(
    identity: int,
    module: str,
    function: str,
    names: list[str],
    values: Sequence[object],
    how: How = PLAIN,
    functions: list[Function] | None = None,
) -> Frame:
    """A `Call` with these arguments, as one frame.

    Args:
        functions: takes those among the arguments; where there is none, they cannot be sent.

    Raises:
        TypeError: one of them cannot be sent.
    """
    given = [how.construct or (), values, how.upstream, tuple(how.weights.values())]
    groups, buffers = _sendable(f"an argument of {function}", given, functions)
    construct, arguments, above, weights = groups
    call = Call(
        identity,
        module,
        function,
        names,
        arguments,
        above,
        None if how.construct is None else construct,
        dict(zip(how.weights, weights, strict=True)),
        how.way,
        how.device,
    )
    return encode(call, buffers)


def encode_ask(
    identity: int,
    function: str,
    names: list[str],
    values: Sequence[object],
    upstream: Sequence[object] = (),
    tangents: Sequence[object] = (),
) -> Frame:
    """An `Ask` with these arguments, as one frame; raises as `encode_call`."""
    groups, buffers = _sendable(f"an argument of {function}", [values, upstream, tangents])
    return encode(Ask(identity, function, names, *groups), buffers)


def encode_served(value: object) -> Frame:
    """A `Served` with this value, as one frame; raises TypeError where it cannot be sent."""
    ((node,),), buffers = _sendable("the value", [[value]])
    return encode(Served(node), buffers)


class Arguments(NamedTuple):
    """What a function is called with, and how."""

    positional: list[Value]
    named: dict[str, Value]
    how: How = PLAIN

    @property
    def values(self) -> list[Value]:
        """All arguments, in order; an instance's weights come last."""
        return [*self.positional, *self.named.values(), *self.how.weights.values()]


def decode_call(request: Call, body: Buffer, found: Found) -> Arguments:
    """What a call is made with; raises `WireError`."""
    construct = request.construct or []
    weights = list(request.weights.values())
    parts = [construct, request.arguments, request.upstream, weights]
    first, arguments, above, given = _decoded(parts, body, found)
    how = How(
        tuple(above),
        None if request.construct is None else tuple(first),
        dict(zip(request.weights, given, strict=True)),
        request.way,
        request.device,
    )
    return Arguments(*_named(arguments, request.names), how)


def argument_name(number: int) -> str:
    """What a worker calls a function by that is an argument: no name of a student's function."""
    return f"argument {number}"


class Question(NamedTuple):
    """What a worker asks of a served function; see `Ask`."""

    positional: list[Value]
    named: dict[str, Value]
    upstream: list[Value]
    tangents: list[Value]

    @property
    def values(self) -> list[Value]:
        """All arguments, in order."""
        return [*self.positional, *self.named.values()]


def decode_ask(request: Ask, body: Buffer) -> Question:
    """What a worker asks; raises `WireError`."""
    parts = [request.arguments, request.upstream, request.tangents]
    arguments, upstream, tangents = _decoded(parts, body)
    return Question(*_named(arguments, request.names), upstream, tangents)


def _named(values: list[Value], names: list[str]) -> tuple[list[Value], dict[str, Value]]:
    count = len(values) - len(names)
    if count < 0:
        raise WireError("more names than arguments")
    return values[:count], dict(zip(names, values[count:], strict=True))


def _decoded(
    parts: Sequence[Sequence[Node]], body: Buffer, found: Found | None = None
) -> list[list[Value]]:
    nodes = [node for part in parts for node in part]
    values = iter(decode_values(nodes, body, found, dtypes=True))
    return [[next(values) for _ in part] for part in parts]


def _sendable(
    what: str, groups: Sequence[Sequence[object]], functions: list[Function] | None = None
) -> tuple[list[list[Node]], list[bytes]]:
    encoder = Encoder(functions, dtypes=True)
    nodes = [[encoder.value(value) for value in values] for values in groups]
    if encoder.foreign:
        raise TypeError(f"{what} cannot be sent: {encoder.foreign[0]}")
    return nodes, encoder.buffers


def encode_done(
    identity: int,
    values: Sequence[object],
    output: str,
    gradients: Sequence[object] = (),
    measures: dict[str, int] | None = None,
    where: Sequence[Where] = (),
) -> Frame:
    """A `Done` with these values, as one frame.

    When they are too much, the first goes alone; when that is too much, a `Foreign` in its place.
    """
    told = (measures or {}, list(where))
    for sent, below in ((values, gradients), (values[:1], ()), ([Foreign(TOO_LARGE)], ())):
        encoder = Encoder()
        nodes = [encoder.value(value) for value in (*sent, *below)]
        done = Done(identity, nodes[: len(sent)], output, nodes[len(sent) :], *told)
        head, _ = encode(done)
        if len(head) <= MAX_HEAD and Foreign(TOO_LARGE) not in nodes[1:]:
            break
    return head, encoder.buffers


def decode_done(reply: Done, body: Buffer) -> tuple[list[Value], list[Value]]:
    """The value with the arguments after it, and the gradients; raises `WireError`."""
    values = decode_values([*reply.nodes, *reply.gradients], body)
    return values[: len(reply.nodes)], values[len(reply.nodes) :]
