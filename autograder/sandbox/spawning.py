"""Workers where a process cannot be forked safely (macOS): each is exec'd anew. Slower; the layers
are those that need no help from outside, so the promise is weak where the system has none."""

from __future__ import annotations

import socket
import subprocess
import sys
from contextlib import ExitStack

import msgspec

from autograder.sandbox import control, promise
from autograder.sandbox.calls import Worker
from autograder.sandbox.client import END_SECONDS, environment, receive_hello

_TRIAL = control.WorkerLimits(memory_mb=512, cpu_seconds=10)


class SpawningSandbox:
    """Starts one interpreter a worker.

    Raises:
        SandboxRefused: a first worker, started to learn the layers, refused.
    """

    def __init__(self, settings: control.Settings) -> None:
        own = {promise.UID, promise.NAMESPACE, *settings.without}
        self._settings = msgspec.structs.replace(settings, without=tuple(sorted(own)))
        self._running: set[_Spawned] = set()
        self.confinement = promise.Confinement(())
        worker = self.spawn(_TRIAL)
        self.confinement = promise.Confinement(worker.layers)
        worker.kill()

    def spawn(self, limits: control.WorkerLimits) -> Worker:
        """A fresh worker that has seen no student's code; raises `SandboxRefused`."""
        with ExitStack() as opened:
            channel, theirs = map(opened.enter_context, socket.socketpair())
            process = _Spawned(self._start(theirs.fileno(), limits), self._running)
            opened.callback(process.release)
            theirs.close()
            layers = receive_hello(channel, None, self.confinement.layers or None)
            opened.pop_all()
        return Worker(channel, process, tuple(layers))

    def _start(self, channel: int, limits: control.WorkerLimits) -> subprocess.Popen[bytes]:
        arguments = [msgspec.json.encode(item).decode() for item in (self._settings, limits)]
        command = [sys.executable, "-I", "-B", "-m", "autograder.sandbox.spawned"]
        return subprocess.Popen(
            [*command, str(channel), *arguments],
            env=environment(),
            cwd="/",
            pass_fds=[channel],
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            start_new_session=True,
        )

    def alive(self) -> bool:
        """Always: there is no base process that could end."""
        return True

    def close(self) -> None:
        """End every worker."""
        for process in list(self._running):
            process.kill()


class _Spawned:
    """A worker's process that this process started itself."""

    ended = None  # its end is seen on the channel: it may start no process that holds it open

    def __init__(self, process: subprocess.Popen[bytes], running: set[_Spawned]) -> None:
        self._process = process
        self._running = running
        running.add(self)

    def kill(self) -> control.Ended | None:
        self._running.discard(self)
        self._process.kill()
        status = self._process.wait(END_SECONDS)
        return control.Ended(status, 0.0, 0)

    def release(self) -> None:
        self.kill()
