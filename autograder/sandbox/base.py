"""The base process: imports numpy once, then forks one confined worker a request. It is exec'd
clean and never told a secret: no path of the course, no seed, no test.

usage: python -I -B -m autograder.sandbox.base DESCRIPTOR
"""

from __future__ import annotations

import contextlib
import gc
import os
import selectors
import signal
import socket
import sys
from dataclasses import dataclass

import msgspec

from autograder import wire
from autograder.sandbox import confine, control, promise
from autograder.sandbox.libraries import Libraries, readable_paths
from autograder.sandbox.preload import preload
from autograder.worker import serve

REFUSED = 111
GOODBYE_SECONDS = 5.0


@dataclass
class _Child:
    pid: int
    pidfd: int
    uid: int
    lifeline: socket.socket  # closes when the grading process lets go, or dies


class Base:
    """The loop: a request forks a worker; a lifeline that closes kills it; an end is reported."""

    def __init__(
        self, requests: socket.socket, confiner: confine.Confiner, uid_block: _UidBlock | None
    ) -> None:
        self._requests = requests
        self._confiner = confiner
        self._uid_block = uid_block
        self._selector = selectors.DefaultSelector()
        self._selector.register(requests, selectors.EVENT_READ)
        self._children: dict[int, _Child] = {}

    def run(self) -> None:
        """Serve until the last grading process has gone."""
        while True:
            events = self._selector.select()
            for key, _ in sorted(events, key=lambda event: event[0].fileobj is self._requests):
                if isinstance(key.data, _Child):
                    self._ended_or_released(key.fileobj, key.data)
                elif not self._request():
                    return

    def _request(self) -> bool:
        data, descriptors, _, _ = socket.recv_fds(self._requests, control.MESSAGE_BYTES, 2)
        if not data:
            return False
        channel, lifeline = descriptors
        self._spawn(channel, socket.socket(fileno=lifeline), control.decode_spawn(data))
        return True

    def _spawn(
        self, channel: int, lifeline: socket.socket, limits: control.WorkerLimits
    ) -> None:
        uid = self._free_uid()
        try:
            pid = os.fork()
        except OSError as error:
            _tell(lifeline, control.Failed(f"fork: {error}"))
            lifeline.close()
            os.close(channel)
            return
        if pid == 0:
            _live(self._confiner, channel, limits, uid)
        os.close(channel)
        child = _Child(pid, os.pidfd_open(pid), uid, lifeline)
        self._children[pid] = child
        self._selector.register(child.pidfd, selectors.EVENT_READ, child)
        self._selector.register(lifeline, selectors.EVENT_READ, child)
        _tell(lifeline, control.Started(pid), child.pidfd)

    def _ended_or_released(self, what: object, child: _Child) -> None:
        if child.pid not in self._children:
            return  # both happened at once
        if what is child.lifeline:
            signal.pidfd_send_signal(child.pidfd, signal.SIGKILL)
        _, status, usage = os.wait4(child.pid, 0)
        self._selector.unregister(child.pidfd)
        self._selector.unregister(child.lifeline)
        del self._children[child.pid]
        self._end_orphans(child.uid)
        seconds = usage.ru_utime + usage.ru_stime
        code = os.waitstatus_to_exitcode(status)
        _tell(child.lifeline, control.Ended(code, seconds, usage.ru_maxrss >> 10))
        child.lifeline.close()
        os.close(child.pidfd)

    def _end_orphans(self, uid: int) -> None:
        """End what a worker left behind; where the filter is on, it could not make any."""
        if promise.has_layer(self._confiner.layers, promise.SECCOMP):
            return
        if uid:
            killer = os.fork()
            if killer == 0:
                os.setresgid(uid, uid, uid)
                os.setresuid(uid, uid, uid)
                with contextlib.suppress(OSError):
                    os.kill(-1, signal.SIGKILL)
                os._exit(0)
            os.waitpid(killer, 0)
        with contextlib.suppress(ChildProcessError):
            while os.waitpid(-1, os.WNOHANG)[0] not in (0, *self._children):
                pass

    def _free_uid(self) -> int:
        if self._uid_block is None or promise.UID not in self._confiner.layers:
            return 0
        taken = {child.uid for child in self._children.values()}
        return next(uid for uid in self._uid_block.uids if uid not in taken)


@dataclass
class _UidBlock:
    uids: range
    claim: socket.socket  # held for as long as the uids are ours


def _claim_uids() -> _UidBlock:
    """A block of uids that no other base process of this machine uses at the same time."""
    for block in range(control.UID_BLOCKS):
        claim = socket.socket(socket.AF_UNIX)
        try:
            claim.bind(f"\0attention-autograder-uids-{block}")
        except OSError:
            claim.close()
            continue
        first = control.FIRST_UID + block * control.UIDS_A_BASE
        return _UidBlock(range(first, first + control.UIDS_A_BASE), claim)
    raise RuntimeError("every block of worker uids is taken; are there other graders running?")


def _tell(lifeline: socket.socket, answer: control.Answer, *descriptors: int) -> None:
    with contextlib.suppress(OSError):  # the grading process has gone: nobody is left to tell
        socket.send_fds(lifeline, [control.encode(answer)], list(descriptors))


def _live(
    confiner: confine.Confiner, channel: int, limits: control.WorkerLimits, uid: int
) -> None:
    """The child's whole life: confine, say hello, serve. Never returns."""
    try:
        connection = confiner.enter(channel, limits, uid)
        wire.send(connection, *wire.encode(wire.Hello(confiner.layers)), wire.Deadline())
        serve(connection)
        os._exit(0)
    except BaseException as error:
        _refuse(channel, f"{type(error).__name__}: {error}")
        os._exit(REFUSED)


def _refuse(channel: int, why: str) -> None:
    with contextlib.suppress(OSError):
        os.dup2(channel, confine.CHANNEL)  # fails when `enter` has moved it there already
    with contextlib.suppress(Exception):
        connection = socket.socket(fileno=confine.CHANNEL)
        wire.send(connection, *wire.encode(wire.Hello([], why)), wire.Deadline.after(GOODBYE_SECONDS))


def main() -> None:
    """Start, report the layers, serve, and end with the last grading process."""
    requests = socket.socket(fileno=int(sys.argv[1]))
    settings = msgspec.msgpack.decode(requests.recv(control.MESSAGE_BYTES), type=control.Settings)
    confine.shut_memory()
    confine.die_with_parent()
    confine.adopt_orphans()
    try:
        preload(settings.packages)
        libraries = Libraries()
        uid_block = _claim_uids() if os.geteuid() == 0 else None  # before the network is left
        network_left = promise.NAMESPACE not in settings.without and confine.leave_network()
        confiner = confine.Confiner(
            settings, readable_paths(), network_left=network_left, keep=libraries.descriptors
        )
        base = Base(requests, confiner, uid_block)
    except Exception as error:
        requests.send(control.encode(control.Failed(f"{type(error).__name__}: {error}")))
        return
    gc.collect()
    gc.freeze()  # workers share these pages for as long as nobody touches them
    requests.send(control.encode(control.Ready(confiner.layers)))
    base.run()


if __name__ == "__main__":
    main()
