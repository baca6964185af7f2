"""The worker's loop: one request, one reply, until the channel closes. Confined before it starts;
nothing that decides a point is computed here."""

from __future__ import annotations

import builtins
import importlib
import random
import socket
import sys
import traceback
from collections.abc import Callable, Sequence
from types import ModuleType

import numpy as np

from autograder import wire
from autograder.worker.asking import Asked, function_of
from autograder.worker.calling import Came, performed
from autograder.worker.errors import FunctionMissing
from autograder.worker.modules import StudentModules
from autograder.worker.output import CapturedOutput
from autograder.worker.parsing import uses_of
from autograder.worker.standing import class_of

MAX_KIND = 80
MAX_MESSAGE = 2_000
MAX_FRAMES = 50  # looked at, of which those of the student's files are kept
MAX_WHERE = 8
MAX_REQUEST_HEAD = 16 << 20  # the six files of a submission travel in one head
NEVER = wire.Deadline()
Asking = wire.Load | wire.Parse | wire.Call


class _Worker:
    """One student's modules and what they printed."""

    def __init__(self, channel: socket.socket) -> None:
        self._channel = channel
        self._output = CapturedOutput()
        self._output.install()
        self._modules: dict[str, ModuleType] = {}
        self._files: frozenset[str] = frozenset()
        self._answering = 0  # the request at hand

    def load(self, request: wire.Load) -> wire.Frame:
        self._answering = request.id
        if not self._files:
            self._files = frozenset(f"{name}.py" for name in request.files)
            served = {
                module: {name: self._served(name, request.classes) for name in names}
                for module, names in request.served.items()
            }
            StudentModules(request.files, served).install()
        self._modules[request.module] = importlib.import_module(request.module)
        return wire.encode_done(request.id, [], self._output.take())

    def parse(self, request: wire.Parse) -> wire.Frame:
        found = uses_of(request.files, request.names)
        return wire.encode_done(request.id, [found], self._output.take())

    def call(self, request: wire.Call, body: bytearray) -> wire.Frame:
        given = wire.decode_call(request, body, self._argument)
        self._answering = request.id
        random.seed(0)
        np.random.seed(0)
        torch = wire.torch_here()
        if torch is not None:
            torch.manual_seed(0)
        function = getattr(self._modules[request.module], request.function, None)
        if not callable(function):
            raise FunctionMissing(request.function)
        if given.how == wire.PLAIN:
            came = Came(function(*given.positional, **given.named), given.values)
        else:
            came = performed(function, given)
        values, output = [came.value, *came.arguments], self._output.take()
        where = self._where(came.error) if came.error else []
        return wire.encode_done(request.id, values, output, came.gradients, came.measures, where)

    def _served(self, name: str, classes: Sequence[str]) -> Callable[..., object]:
        """A function or class of the grader's in the place of the student's."""
        return (class_of if name in classes else function_of)(name, self._ask)

    def _argument(self, number: int) -> Callable[..., object]:
        """A function of the grader's among the arguments of a call."""
        return function_of(wire.argument_name(number), self._ask)

    def _ask(self, asked: Asked) -> object:
        """What a function of the grader's gives: it comes over the channel."""
        values = [*asked.positional, *asked.named.values()]
        names, vectors = list(asked.named), (asked.upstream, asked.tangents)
        frame = wire.encode_ask(self._answering, asked.name, names, values, *vectors)
        wire.send(self._channel, *frame, NEVER)
        head, body = wire.receive(self._channel, NEVER)
        reply = wire.decode_request(head)
        if isinstance(reply, wire.Served):
            return wire.decode_values([reply.node], body)[0]
        kind = getattr(builtins, getattr(reply, "kind", ""), RuntimeError)
        raise kind(f"{asked.name} cannot take these arguments")

    def raised(self, request: Asking, error: BaseException) -> wire.Frame:
        name = _text(lambda: type(error).__name__, MAX_KIND)
        kind = _text(lambda: known_name(error), MAX_KIND)
        message = _text(lambda: self._message(error), MAX_MESSAGE)
        if name != kind:
            message = f"{name}: {message}"
        try:
            where = self._where(error)
        except BaseException:
            where = []
        return wire.encode(wire.Raised(request.id, kind, message, where, self._output.take()))

    def _message(self, error: BaseException) -> object:
        if not isinstance(error, SyntaxError) or error.filename not in self._files:
            return error
        line = (error.text or "").strip()
        said = f"{error.filename}, line {error.lineno}: {error.msg}"
        return f"{said}: {line}" if line else said

    def _where(self, error: BaseException) -> list[wire.Where]:
        return [
            wire.Where(frame.filename, frame.lineno or 0, frame.name)
            for frame in traceback.extract_tb(error.__traceback__, limit=-MAX_FRAMES)
            if frame.filename in self._files
        ][-MAX_WHERE:]


def known_name(error: BaseException) -> str:
    """The nearest of its classes that every Python has: numpy's UFuncTypeError is a TypeError."""
    mine = (BaseException.__module__, FunctionMissing.__module__)
    return next(kind.__name__ for kind in type(error).__mro__ if kind.__module__ in mine)


def _text(make: Callable[[], object], limit: int) -> str:
    """What `make` gives as bounded text. Student code may run in it, and may do anything."""
    try:
        text = str.__str__(str(make()))
        return text[:limit].encode("utf-8", "replace").decode("utf-8")
    except BaseException:
        return "(cannot be shown)"


def serve(channel: socket.socket) -> None:
    """Answer requests on `channel` until it closes."""
    worker = _Worker(channel)
    sys.dont_write_bytecode = True
    while True:
        try:
            head, body = wire.receive(channel, NEVER, max_head=MAX_REQUEST_HEAD)
        except wire.ChannelClosed:
            return
        request = wire.decode_request(head)
        if not isinstance(request, Asking):
            continue  # an answer that nobody waits for any more
        try:
            if isinstance(request, wire.Load):
                frame = worker.load(request)
            elif isinstance(request, wire.Parse):
                frame = worker.parse(request)
            else:
                frame = worker.call(request, body)
        except BaseException as error:  # SystemExit and KeyboardInterrupt are a student's too
            frame = worker.raised(request, error)
        wire.send(channel, *frame, NEVER)
