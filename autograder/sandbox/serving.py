"""A function of the grading process, called on what a worker asks for. The arguments are a
student's choice, so they may cost no more memory than is allowed here."""

from __future__ import annotations

import resource
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path

import numpy as np

from autograder import wire
from autograder.sandbox.confine import LINUX
from autograder.worker.serve import known_name

Functions = Mapping[str, Callable[..., object]]

MOST_ASKED = 4 << 20  # bytes of the arguments of one call
MOST_TAKEN = 512 << 20  # bytes that one call may take on top of what is taken already


def serve(ask: wire.Ask, body: bytearray, functions: Functions) -> wire.Frame:
    """The answer to a worker's `Ask`, as one frame: the value, or the kind of what was raised.

    Raises:
        WireError: it is no call of one of these functions.
    """
    if ask.function not in functions:
        raise wire.WireError("it asked for a function that is not served")
    if len(body) > MOST_ASKED:
        return wire.encode(wire.NotServed(MemoryError.__name__))
    arguments, named = wire.decode_arguments(ask, body)
    try:
        with _bounded_memory(), np.errstate(all="ignore"):
            return wire.encode_served(functions[ask.function](*arguments, **named))
    except Exception as error:
        return wire.encode(wire.NotServed(known_name(error)))


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
