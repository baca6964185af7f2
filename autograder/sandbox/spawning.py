"""Workers where a process cannot be forked safely (macOS): each is exec'd anew. Slower; the layers
are those that need no help from outside, so the promise is weak where the system has none.

usage: python -I -B -m autograder.sandbox.spawning DESCRIPTOR SETTINGS LIMITS
"""

from __future__ import annotations

import socket
import subprocess
import sys

import msgspec

from autograder import wire
from autograder.sandbox import confine, control, promise
from autograder.sandbox.calls import Worker
from autograder.sandbox.client import END_SECONDS, environment, receive_hello
from autograder.sandbox.libraries import Libraries, readable_paths
from autograder.sandbox.preload import preload
from autograder.worker import serve

_TRIAL = control.WorkerLimits(memory_mb=512, cpu_seconds=10)


class SpawningSandbox:
    """Starts one interpreter a worker.

    Raises:
        SandboxRefused: a first worker, started to learn the layers, refused.
    """

    def __init__(self, settings: control.Settings) -> None:
        own = {promise.UID, promise.NAMESPACE, *settings.without}
        self._settings = msgspec.structs.replace(settings, without=tuple(sorted(own)))
        self.confinement = promise.Confinement(())
        worker = self.spawn(_TRIAL)
        self.confinement = promise.Confinement(worker.layers)
        worker.kill()

    def spawn(self, limits: control.WorkerLimits) -> Worker:
        """A fresh worker that has seen no student's code; raises `SandboxRefused`."""
        channel, theirs = socket.socketpair()
        arguments = [msgspec.json.encode(item).decode() for item in (self._settings, limits)]
        command = [sys.executable, "-I", "-B", "-m", "autograder.sandbox.spawning"]
        with theirs:
            process = _Spawned(
                subprocess.Popen(
                    [*command, str(theirs.fileno()), *arguments],
                    env=environment(),
                    cwd="/",
                    pass_fds=[theirs.fileno()],
                    stdin=subprocess.DEVNULL,
                    stdout=subprocess.DEVNULL,
                    stderr=subprocess.DEVNULL,
                )
            )
        layers = receive_hello(channel, None, self.confinement.layers or None)
        return Worker(channel, process, tuple(layers))

    def alive(self) -> bool:
        """Always: there is no base process that could end."""
        return True

    def close(self) -> None:
        """Nothing to end: every worker has an owner."""


class _Spawned:
    """A worker's process that this process started itself."""

    ended = None  # its end is seen on the channel: it may start no process that holds it open

    def __init__(self, process: subprocess.Popen[bytes]) -> None:
        self._process = process

    def kill(self) -> control.Ended | None:
        self._process.kill()
        status = self._process.wait(END_SECONDS)
        return control.Ended(status, 0.0, 0)

    def release(self) -> None:
        self.kill()


def main() -> None:
    """The spawned worker's whole life."""
    channel = int(sys.argv[1])
    settings = msgspec.json.decode(sys.argv[2], type=control.Settings)
    limits = msgspec.json.decode(sys.argv[3], type=control.WorkerLimits)
    preload(settings.packages)
    libraries = Libraries()
    confiner = confine.Confiner(
        settings, readable_paths(), network_left=False, keep=libraries.descriptors
    )
    connection = confiner.enter(channel, limits, 0)
    wire.send(connection, *wire.encode(wire.Hello(confiner.layers)), wire.Deadline())
    serve(connection)


if __name__ == "__main__":
    main()
