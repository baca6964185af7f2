"""The base process, seen from the grading process: start it, ask it for workers, close it.

Its socket may be used by forked children of the grading process at the same time: every request
brings its own channel for the answer.
"""

from __future__ import annotations

import os
import signal
import socket
import subprocess
import sys
from collections.abc import Sequence
from contextlib import ExitStack, suppress
from pathlib import Path
from typing import Protocol

import msgspec

from autograder import wire
from autograder.sandbox import control
from autograder.sandbox.calls import StudentCode, Worker
from autograder.sandbox.confine import shut_memory
from autograder.sandbox.failures import SandboxRefused
from autograder.sandbox.libraries import beside_a_library, open_to_others
from autograder.sandbox.promise import Confinement

START_SECONDS = 60.0
HELLO_SECONDS = 20.0
END_SECONDS = 10.0
# One thread each: a fork must find no other thread, and a class is graded side by side.
ENVIRONMENT = {
    "PATH": "/usr/bin:/bin",
    "LANG": "C.UTF-8",
    "OMP_NUM_THREADS": "1",
    "OPENBLAS_NUM_THREADS": "1",
    "MKL_NUM_THREADS": "1",
    "PYTHONHASHSEED": "0",
}


class Sandbox(Protocol):
    """Where workers come from."""

    confinement: Confinement

    def spawn(self, limits: control.WorkerLimits) -> StudentCode:
        """A fresh worker that has seen no student's code; raises `SandboxRefused`."""

    def alive(self) -> bool:
        """Whether workers can still be had."""

    def close(self) -> None:
        """End every worker and the base process."""


def secrets_private(folders: Sequence[Path]) -> bool:
    """Whether a worker of another uid can reach none of these folders, whatever confines it."""
    return not any(open_to_others(folder) or beside_a_library(folder) for folder in folders)


def environment() -> dict[str, str]:
    """What a base process is exec'd with: nothing of the grading process's own environment, but
    for the choice of kernel of the linear algebra, which some processors need."""
    chosen = {name: os.environ[name] for name in os.environ if name.startswith("OPENBLAS_")}
    return {**chosen, **ENVIRONMENT}


def receive_hello(
    channel: socket.socket, ended: int | None, expected: Sequence[str] | None
) -> list[str]:
    """A new worker's layers; `expected` is None when they are not known yet.

    Raises:
        SandboxRefused: it refused, or has fewer layers than planned: never a silent fall-back.
    """
    try:
        head, _ = wire.receive(channel, wire.Deadline.after(HELLO_SECONDS), ended=ended)
        hello = wire.decode_reply(head)
    except (wire.ChannelClosed, wire.DeadlinePassed, wire.WireError) as error:
        raise SandboxRefused(f"it did not say hello ({type(error).__name__} {error})") from None
    if not isinstance(hello, wire.Hello) or hello.refused:
        raise SandboxRefused(getattr(hello, "refused", "it did not say hello"))
    if expected is not None and hello.layers != list(expected):
        raise SandboxRefused(f"it has the layers {hello.layers}, not {list(expected)}")
    return hello.layers


class ForkingSandbox:
    """A base process that forks workers (Linux).

    Raises:
        SandboxRefused: it could not start.
    """

    def __init__(self, settings: control.Settings) -> None:
        shut_memory()
        self._requests, theirs = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
        command = [sys.executable, "-I", "-B", "-m", "autograder.sandbox.base"]
        self._process = subprocess.Popen(
            [*command, str(theirs.fileno())],
            env=environment(),
            cwd="/",
            pass_fds=[theirs.fileno()],
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            start_new_session=True,  # no terminal, so no way to type into the instructor's
        )
        theirs.close()
        self._requests.settimeout(START_SECONDS)
        try:
            self._requests.send(msgspec.msgpack.encode(settings))
            ready = control.decode_answer(self._requests.recv(control.MESSAGE_BYTES))
        except (OSError, msgspec.MsgspecError) as error:
            self.close()
            raise SandboxRefused(f"the base process did not start ({error})") from None
        self._requests.settimeout(None)
        if not isinstance(ready, control.Ready):
            self.close()
            raise SandboxRefused(getattr(ready, "why", "the base process gave no answer"))
        self.confinement = Confinement(tuple(ready.layers))

    def spawn(self, limits: control.WorkerLimits) -> StudentCode:
        """A fresh worker that has seen no student's code; raises `SandboxRefused`."""
        with ExitStack() as opened:
            channel, theirs = map(opened.enter_context, socket.socketpair())
            lifeline, their_lifeline = map(
                opened.enter_context, socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
            )
            descriptors = [theirs.fileno(), their_lifeline.fileno()]
            try:
                socket.send_fds(self._requests, [control.encode(limits)], descriptors)
            except OSError as error:
                raise SandboxRefused(f"the base process has ended ({error})") from None
            theirs.close()
            their_lifeline.close()
            process = _started(lifeline)
            opened.callback(process.release)
            layers = receive_hello(channel, process.ended, self.confinement.layers)
            opened.pop_all()
        return Worker(channel, process, tuple(layers))

    def alive(self) -> bool:
        """Whether workers can still be had; a forked grading process may ask too."""
        return self._requests.fileno() >= 0 and not wire.pending(self._requests)

    def close(self) -> None:
        """End every worker and the base process."""
        with suppress(OSError):  # a child of this process may hold a copy: closing is not enough
            self._requests.shutdown(socket.SHUT_RDWR)
        self._requests.close()
        try:
            self._process.wait(END_SECONDS)
        except subprocess.TimeoutExpired:
            self._process.kill()
            self._process.wait()


class _Forked:
    """A worker's process, through the lifeline that the base process holds the other end of."""

    def __init__(self, lifeline: socket.socket, pidfd: int) -> None:
        self._lifeline = lifeline
        self._pidfd = pidfd

    @property
    def ended(self) -> int | None:
        return self._pidfd

    def kill(self) -> control.Ended | None:
        with suppress(ProcessLookupError):
            signal.pidfd_send_signal(self._pidfd, signal.SIGKILL)
        try:
            self._lifeline.settimeout(END_SECONDS)
            end = control.decode_answer(self._lifeline.recv(control.MESSAGE_BYTES))
        except (OSError, msgspec.MsgspecError):
            end = None
        self.release()
        return end if isinstance(end, control.Ended) else None

    def release(self) -> None:
        os.close(self._pidfd)
        with suppress(OSError):  # as above
            self._lifeline.shutdown(socket.SHUT_RDWR)
        self._lifeline.close()


def _started(lifeline: socket.socket) -> _Forked:
    """The process that the base process says it has started; raises `SandboxRefused`."""
    lifeline.settimeout(HELLO_SECONDS)
    try:
        data, descriptors, _, _ = socket.recv_fds(lifeline, control.MESSAGE_BYTES, 1)
        started = control.decode_answer(data)
    except (OSError, msgspec.MsgspecError) as error:
        raise SandboxRefused(f"the base process has ended ({error})") from None
    if not isinstance(started, control.Started) or not descriptors:
        raise SandboxRefused(getattr(started, "why", "the base process gave no worker"))
    return _Forked(lifeline, descriptors[0])
