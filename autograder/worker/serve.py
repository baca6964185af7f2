"""The worker's loop: one request, one reply, until the channel closes. Confined before it starts;
nothing that decides a point is computed here."""

from __future__ import annotations

import importlib
import random
import socket
import sys
import traceback
from types import ModuleType

import numpy as np

from autograder import wire
from autograder.worker.modules import StudentModules
from autograder.worker.output import CapturedOutput

MAX_MESSAGE = 2_000
MAX_WHERE = 8
MAX_REQUEST_HEAD = 16 << 20  # the six files of a submission travel in one head
NEVER = wire.Deadline()


class FunctionMissing(Exception):
    """The file defines no function of that name."""


class _Worker:
    """One student's modules and what they printed."""

    def __init__(self) -> None:
        self._output = CapturedOutput()
        self._output.install()
        self._modules: dict[str, ModuleType] = {}
        self._files: frozenset[str] = frozenset()

    def load(self, request: wire.Load) -> wire.Frame:
        if not self._files:
            self._files = frozenset(f"{name}.py" for name in request.files)
            StudentModules(request.files).install()
        self._modules[request.module] = importlib.import_module(request.module)
        return wire.encode_done(request.id, [], self._output.take())

    def call(self, request: wire.Call, body: bytearray) -> wire.Frame:
        values = wire.decode_values(request.arguments, body)
        positional = values[: len(values) - len(request.names)]
        named = dict(zip(request.names, values[len(positional) :], strict=True))
        random.seed(0)
        np.random.seed(0)
        function = getattr(self._modules[request.module], request.function, None)
        if not callable(function):
            raise FunctionMissing(request.function)
        answer = function(*positional, **named)
        return wire.encode_done(request.id, [answer, *values], self._output.take())

    def raised(self, request: wire.Load | wire.Call, error: BaseException) -> wire.Frame:
        try:
            message = str(error)[:MAX_MESSAGE]
        except BaseException:
            message = "(its message cannot be shown)"
        if isinstance(error, SyntaxError) and error.filename in self._files:
            message = _syntax_error(error)[:MAX_MESSAGE]
        where = [
            wire.Where(frame.filename, frame.lineno or 0, frame.name)
            for frame in traceback.extract_tb(error.__traceback__, limit=-50)
            if frame.filename in self._files
        ][-MAX_WHERE:]
        message = message.encode("utf-8", "replace").decode("utf-8")
        kind = type(error).__name__[:80]
        return wire.encode(wire.Raised(request.id, kind, message, where, self._output.take()))


def _syntax_error(error: SyntaxError) -> str:
    line = (error.text or "").strip()
    return f"{error.filename}, line {error.lineno}: {error.msg}" + (f": {line}" if line else "")


def serve(channel: socket.socket) -> None:
    """Answer requests on `channel` until it closes."""
    worker = _Worker()
    sys.dont_write_bytecode = True
    while True:
        try:
            head, body = wire.receive(channel, NEVER, max_head=MAX_REQUEST_HEAD)
        except wire.ChannelClosed:
            return
        request = wire.decode_request(head)
        try:
            if isinstance(request, wire.Load):
                frame = worker.load(request)
            else:
                frame = worker.call(request, body)
        except BaseException as error:  # SystemExit and KeyboardInterrupt are a student's too
            frame = worker.raised(request, error)
        wire.send(channel, *frame, NEVER)
