"""One frame at a time over a descriptor, with a deadline and a cap; knows nothing of its values."""

from __future__ import annotations

import os
import select
import socket
import struct
import time
from collections.abc import Sequence
from dataclasses import dataclass

from autograder.wire.nodes import MAX_BODY, Buffer, WireError

MAGIC = b"AGW1"
PREFIX = struct.Struct("<4sIQ")
CHUNK = 1 << 20
MAX_HEAD = 1 << 20
LONGEST_WAIT = 86_400.0  # of one poll, in seconds: it takes no more than 2^31 ms


class DeadlinePassed(Exception):
    """The other side did not answer in time."""


class ChannelClosed(Exception):
    """The other side has ended."""


@dataclass(frozen=True)
class Deadline:
    """A moment on the monotonic clock; `None` never comes."""

    at: float | None = None

    @classmethod
    def after(cls, seconds: float) -> Deadline:
        """The moment `seconds` from now."""
        return cls(time.monotonic() + seconds)

    def left(self) -> float | None:
        """Seconds left, at least 0; None for never."""
        return None if self.at is None else max(0.0, self.at - time.monotonic())

    def demand(self) -> None:
        """Raise `DeadlinePassed` when it has come, however ready the other side may be."""
        if self.left() == 0.0:
            raise DeadlinePassed


def _wait(read: Sequence[int], write: Sequence[int], deadline: Deadline) -> list[int]:
    poller = select.poll()  # unlike select(2), it takes descriptors over 1023
    for fd in read:
        poller.register(fd, select.POLLIN)
    for fd in write:
        poller.register(fd, select.POLLOUT)
    left = deadline.left()
    ready = poller.poll(None if left is None else min(left, LONGEST_WAIT) * 1000)
    if not ready:
        raise DeadlinePassed
    return [fd for fd, _ in ready]


def pending(channel: socket.socket) -> bool:
    """Whether something, or the end, can be read right now."""
    poller = select.poll()
    poller.register(channel, select.POLLIN)
    return bool(poller.poll(0))


def send(
    channel: socket.socket, head: bytes, buffers: Sequence[Buffer], deadline: Deadline
) -> None:
    """Write one frame. A channel that does not block keeps the deadline to the end.

    Raises:
        DeadlinePassed: the other side does not read.
        ChannelClosed: it has ended.
    """
    length = sum(len(buffer) for buffer in buffers)
    for part in (PREFIX.pack(MAGIC, len(head), length) + head, *buffers):
        view = memoryview(part)
        while view:
            _wait((), (channel.fileno(),), deadline)
            try:  # write(2), not send(2): a worker's filter denies sendto
                view = view[os.write(channel.fileno(), view[: 1 << 16]) :]
            except BlockingIOError:
                continue
            except (BrokenPipeError, ConnectionResetError):
                raise ChannelClosed from None


def receive(
    channel: socket.socket,
    deadline: Deadline,
    *,
    ended: int | None = None,
    max_head: int = MAX_HEAD,
    max_body: int = MAX_BODY,
) -> tuple[bytearray, bytearray]:
    """Read one frame's head and body.

    Args:
        ended: a descriptor that becomes readable when the other process ends. A grandchild may
            hold the channel open, so its end of file alone may never come.

    Raises:
        DeadlinePassed, ChannelClosed.
        WireError: it is no frame of ours, or over the caps.
    """
    prefix = _read(channel, PREFIX.size, deadline, ended)
    magic, head_length, body_length = PREFIX.unpack(prefix)
    if magic != MAGIC:
        raise WireError("not a frame")
    if head_length > max_head or body_length > max_body:
        raise WireError("a frame over the size limit")
    head = _read(channel, head_length, deadline, ended)
    return head, _read(channel, body_length, deadline, ended)


def _read(channel: socket.socket, length: int, deadline: Deadline, ended: int | None) -> bytearray:
    buffer = bytearray(length)
    view = memoryview(buffer)
    watched = (channel.fileno(),) if ended is None else (channel.fileno(), ended)
    while view:
        if channel.fileno() not in _wait(watched, (), deadline):
            raise ChannelClosed
        try:
            count = channel.recv_into(view[:CHUNK])
        except BlockingIOError:
            continue
        except ConnectionResetError:
            raise ChannelClosed from None
        if count == 0:
            raise ChannelClosed
        view = view[count:]
    return buffer
