"""A worker's whole life: confine, say hello, serve. It is the same however its process was started,
and it never goes on with less than the layers that were planned."""

from __future__ import annotations

import contextlib
import os
import socket
from typing import NoReturn

from autograder import wire
from autograder.sandbox import confine
from autograder.sandbox.control import WorkerLimits
from autograder.worker import serve

REFUSED = 111
GOODBYE_SECONDS = 5.0


def live(confiner: confine.Confiner, channel: int, limits: WorkerLimits, uid: int = 0) -> NoReturn:
    """Live in this process, with `channel` for its only way out; ends the process."""
    status = REFUSED
    try:
        connection = confiner.enter(channel, limits, uid)
        wire.send(connection, *wire.encode(wire.Hello(confiner.layers)), wire.Deadline())
        serve(connection)
        status = 0
    except BaseException as error:
        refuse(channel, f"{type(error).__name__}: {error}")
    finally:
        os._exit(status)


def refuse(channel: int, why: str) -> None:
    """Say why there will be no worker, on whichever descriptor the channel has come to be."""
    with contextlib.suppress(OSError):
        os.dup2(channel, confine.CHANNEL)  # fails when `enter` has moved it there already
    with contextlib.suppress(Exception):
        connection = socket.socket(fileno=confine.CHANNEL)
        deadline = wire.Deadline.after(GOODBYE_SECONDS)
        wire.send(connection, *wire.encode(wire.Hello([], why)), deadline)
