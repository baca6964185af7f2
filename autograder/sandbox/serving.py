"""Functions of the grading process, called on what a worker asks for. The arguments are a student's
choice, so they may cost no more time and memory than is allowed here."""

from __future__ import annotations

import functools
import inspect
import math
import os
import resource
import signal
import socket
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any, NoReturn

import numpy as np

from autograder import wire
from autograder.sandbox.confine import LINUX, die_with_parent
from autograder.worker.calling import performed
from autograder.worker.gradients import call_with_gradients, floating, tangents_of
from autograder.worker.instances import instance_of
from autograder.worker.serve import known_name
from autograder.worker.standing import described

Functions = Mapping[str, Callable[..., object]]

MOST_ASKED = 4 << 20  # bytes of the arguments of one call
MOST_SMALL = 4096  # numbers in all: of the square of that many even a slow function is done soon
MOST_TAKEN = 512 << 20  # bytes that one call may take on top of what is taken already
NO_MEMORY = wire.NotServed(MemoryError.__name__)


def served_by(steps: Functions) -> Functions:
    """What answers for these functions and classes: for a class two, see `worker.standing`."""
    answering: dict[str, Callable[..., object]] = {}
    for name, step in steps.items():
        if inspect.isclass(step):
            answering[name] = functools.partial(_instance_called, step)
            answering[described(name)] = functools.partial(_form_of, step)
        else:
            answering[name] = step
    return answering


def _form_of(kind: Callable[..., Any], *construct: Any) -> object:
    how = wire.How(construct=construct, way="described")
    return performed(kind, wire.Arguments([], {}, how)).value


def _instance_called(
    kind: Callable[..., Any], count: int, names: list[str], *values: Any, **named: Any
) -> object:
    """What an instance gives: `values` are so many arguments of the constructor, a weight for each
    name, and the arguments of the call."""
    import torch

    construct, rest = values[:count], values[count:]
    weights = dict(zip(names, rest, strict=False))
    made = instance_of(kind, construct)
    return torch.func.functional_call(made, weights, rest[len(names) :], named)


class Server:
    """Answers one worker. What it asks is a student's choice: where it is not small, it is answered
    in a fork of this process, as nothing else stops numpy in the middle of a product."""

    def __init__(self, functions: Functions) -> None:
        self._functions = functions
        self._child = 0
        self._channel: socket.socket | None = None

    def has(self, name: str) -> bool:
        """Whether it answers for a function of that name."""
        return name in self._functions

    def answer(self, ask: wire.Ask, body: bytearray, deadline: wire.Deadline) -> wire.Frame:
        """The answer to an `Ask`, as one frame: the value, or the kind of what was raised.

        Raises:
            WireError: it is no call of one of these functions.
            DeadlinePassed: it takes longer than there is time for.
        """
        if ask.function not in self._functions:
            raise wire.WireError("it asked for a function that is not served")
        if len(body) > MOST_ASKED:
            return wire.encode(NO_MEMORY)
        wire.decode_ask(ask, body)  # here, where it is known whose fault it is
        if not LINUX or _is_small(ask):
            return _answered(ask, body, self._functions)
        channel = self._channel or self._start()
        try:
            wire.send(channel, *wire.encode(ask, [bytes(body)]), deadline)
            head, answered = wire.receive(channel, deadline)
        except wire.ChannelClosed:
            self.close()
            return wire.encode(NO_MEMORY)
        except wire.DeadlinePassed:
            self.close()
            raise
        return bytes(head), [bytes(answered)]

    def close(self) -> None:
        """End the process that answers."""
        if self._channel is not None:
            self._channel.close()
            self._channel = None
            os.kill(self._child, signal.SIGKILL)
            os.waitpid(self._child, 0)

    def _start(self) -> socket.socket:
        ours, theirs = socket.socketpair()
        self._child = os.fork()
        if self._child == 0:
            ours.close()
            _live(theirs, self._functions)
        theirs.close()
        ours.setblocking(False)
        self._channel = ours
        return ours


def _is_small(ask: wire.Ask) -> bool:
    """Whether no number in a question, and no array, can make a function of the course's busy."""
    left: float = MOST_SMALL
    waiting: list[object] = [*ask.arguments, *ask.upstream, *ask.tangents]
    while waiting and left > 0:
        node = waiting.pop()
        if isinstance(node, wire.ArrayNode | wire.TensorNode):
            left -= math.prod(max(size, 1) for size in node.shape)  # 0 by 2³¹ is not small
        elif isinstance(node, wire.ListNode | wire.TupleNode):
            waiting += node.items
            left -= 1
        elif isinstance(node, int | float):
            left -= abs(node)  # of NaN, nothing is left
        else:
            left -= MOST_SMALL * isinstance(node, wire.DictNode)
    return left > 0


def _live(channel: socket.socket, functions: Functions) -> NoReturn:
    """The child's whole life; never runs the parent's clean-up."""
    try:
        die_with_parent()
        with suppress(wire.ChannelClosed):
            while True:
                head, body = wire.receive(channel, wire.Deadline())
                ask = wire.decode_reply(head)
                assert isinstance(ask, wire.Ask), "the parent passes nothing else on"
                wire.send(channel, *_answered(ask, body, functions), wire.Deadline())
    finally:
        os._exit(0)


def _answered(ask: wire.Ask, body: bytearray, functions: Functions) -> wire.Frame:
    question = wire.decode_ask(ask, body)
    try:
        with _bounded_memory(), np.errstate(all="ignore"):
            return wire.encode_served(answered(functions[ask.function], question))
    except Exception as error:
        return wire.encode(wire.NotServed(known_name(error)))


def answered(function: Callable[..., Any], question: wire.Question) -> Any:
    """What a function gives; or the gradients, or the tangents, that are asked for in its place.

    Raises:
        TypeError: these are asked for where there are no tensors.
    """
    if (question.upstream or question.tangents) and wire.torch_here() is None:
        raise TypeError("arrays have no gradients")
    if question.upstream:
        _, gradients = call_with_gradients(function, question, question.upstream)
        inputs = [one for one in question.values if floating(one)]
        pairs = zip(question.values, gradients, strict=True)
        below = [gradient for value, gradient in pairs if floating(value)]
        return [
            one.new_zeros(one.shape) if gradient is None else gradient
            for one, gradient in zip(inputs, below, strict=True)
        ]
    if question.tangents:
        return tangents_of(function, question)
    return function(*question.positional, **question.named)


@contextmanager
def _bounded_memory() -> Iterator[None]:
    """Inside, an array too large is a MemoryError; where the system keeps no such limit it is not
    known before it is made."""
    if not LINUX:
        yield
        return
    soft, hard = resource.getrlimit(resource.RLIMIT_AS)
    pages = int(Path("/proc/self/statm").read_text(encoding="ascii").split()[0])
    most = pages * resource.getpagesize() + MOST_TAKEN
    bounds = [most, *(one for one in (soft, hard) if one != resource.RLIM_INFINITY)]
    resource.setrlimit(resource.RLIMIT_AS, (min(bounds), hard))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_AS, (soft, hard))
