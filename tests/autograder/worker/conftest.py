"""A worker in a process of its own, without the confinement: what `serve` itself does."""

from __future__ import annotations

import socket
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import ExitStack

import pytest

from autograder import wire

SECONDS = 10.0
FORKER = """
import os, signal, socket, sys
from autograder.worker import serve

signal.signal(signal.SIGCHLD, signal.SIG_IGN)
requests = socket.socket(fileno=int(sys.argv[1]))
while True:
    data, descriptors, _, _ = socket.recv_fds(requests, 1, 1)
    if not data:
        break
    if os.fork() == 0:
        try:
            requests.close()
            serve(socket.socket(fileno=descriptors[0]))
        finally:
            os._exit(0)
    os.close(descriptors[0])
"""


class Served:
    """The grading process's end of one worker."""

    def __init__(self, channel: socket.socket, files: dict[str, str]) -> None:
        self._channel = channel
        self._files = files
        self._serial = 0

    def load(self, module: str) -> wire.Reply:
        """Import one of the files."""
        self._serial += 1
        return self._asked(wire.encode(wire.Load(self._serial, self._files, module)))

    def call(self, function: str, *arguments: object, **named: object) -> wire.Reply:
        """Call a function of the module `step`."""
        self._serial += 1
        values = [*arguments, *named.values()]
        return self._asked(wire.encode_call(self._serial, "step", function, list(named), values))

    def values(self, function: str, *arguments: object, **named: object) -> list[wire.Value]:
        """What a call returned, then its arguments as it left them."""
        self.call(function, *arguments, **named)
        assert isinstance(self.reply, wire.Done), self.reply
        return wire.decode_values(self.reply.nodes, self.body)

    def _asked(self, frame: wire.Frame) -> wire.Reply:
        deadline = wire.Deadline.after(SECONDS)
        wire.send(self._channel, *frame, deadline)
        head, self.body = wire.receive(self._channel, deadline)
        self.reply = wire.decode_reply(head)
        assert not isinstance(self.reply, wire.Hello)
        assert self.reply.id == self._serial
        return self.reply


@pytest.fixture(scope="session")
def forker() -> Iterator[socket.socket]:
    """A clean process, without pytest in it, that forks a worker for each descriptor it is sent."""
    ours, theirs = socket.socketpair(socket.AF_UNIX, socket.SOCK_STREAM)
    command = [sys.executable, "-I", "-c", FORKER, str(theirs.fileno())]
    with subprocess.Popen(command, pass_fds=[theirs.fileno()]), theirs:
        yield ours
        ours.close()


@pytest.fixture
def served(forker: socket.socket) -> Iterator[Callable[..., Served]]:
    """Start a worker with these files (module name → source); `step` is loaded at once."""
    with ExitStack() as opened:

        def start(step: str = "", **others: str) -> Served:
            channel, theirs = socket.socketpair()
            opened.enter_context(channel)
            with theirs:
                socket.send_fds(forker, [b"x"], [theirs.fileno()])
            worker = Served(channel, {"step": step, **others})
            if step:
                worker.load("step")
            return worker

        yield start
