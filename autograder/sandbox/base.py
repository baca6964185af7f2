"""The base process: imports numpy once, then forks one confined worker a request. It is exec'd
clean and never told a secret: no seed, no test, no reference, no result.

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

from autograder.sandbox import confine, control, orphans, promise
from autograder.sandbox.live import live
from autograder.sandbox.preload import preload


@dataclass
class _Child:
    pid: int
    pidfd: int
    uid: int
    core: int
    lifeline: socket.socket  # closes when the grading process lets go, or dies


class Base:
    """The loop: a request forks a worker; a lifeline that closes kills it; an end is reported."""

    def __init__(
        self, requests: socket.socket, confiner: confine.Confiner, uid_block: _UidBlock | None
    ) -> None:
        self.layers = confiner.layers
        self._requests = requests
        self._confiner = confiner
        self._uid_block = uid_block
        self._selector = selectors.DefaultSelector()
        self._selector.register(requests, selectors.EVENT_READ)
        self._children: dict[int, _Child] = {}

    def run(self) -> None:
        """Serve until the last grading process has gone, then end what is left."""
        going_on = True
        while going_on:
            events = self._selector.select()
            for key, _ in sorted(events, key=lambda event: event[0].fileobj is self._requests):
                if isinstance(key.data, _Child):
                    self._ended_or_released(key.fileobj, key.data)
                else:
                    going_on = self._request()
        for child in list(self._children.values()):
            self._ended_or_released(child.lifeline, child)

    def _request(self) -> bool:
        data, descriptors, _, _ = socket.recv_fds(self._requests, control.MESSAGE_BYTES, 2)
        if len(descriptors) == 2:
            channel, lifeline = descriptors
            self._spawn(channel, socket.socket(fileno=lifeline), control.decode_spawn(data))
        else:  # one was lost on the way: who asked sees its lifeline close
            for descriptor in descriptors:
                os.close(descriptor)
        return bool(data)

    def _spawn(self, channel: int, lifeline: socket.socket, limits: control.WorkerLimits) -> None:
        try:
            uid, core = self._free_uid(), self._quietest_core()
            pid = os.fork()
        except (OSError, RuntimeError) as error:
            _tell(lifeline, control.Failed(str(error)))
            lifeline.close()
            os.close(channel)
            return
        if pid == 0:
            os.sched_setaffinity(0, {core})  # many threads of one take no time from another
            live(self._confiner, channel, limits, uid)
        os.close(channel)
        child = _Child(pid, os.pidfd_open(pid), uid, core, lifeline)
        self._children[pid] = child
        self._selector.register(child.pidfd, selectors.EVENT_READ, child)
        self._selector.register(lifeline, selectors.EVENT_READ, child)
        _tell(lifeline, control.Started(pid), child.pidfd)

    def _ended_or_released(self, what: object, child: _Child) -> None:
        if self._children.get(child.pid) is not child:
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
        if promise.has_layer(self.layers, promise.SECCOMP):
            return
        if uid and self._uid_block is not None:
            orphans.end_all_of(uid, self._uid_block.killer)
        orphans.end_adopted(self._children)

    def _quietest_core(self) -> int:
        """The core with the fewest workers."""
        busy = [child.core for child in self._children.values()]
        return min(sorted(os.sched_getaffinity(0)), key=busy.count)

    def _free_uid(self) -> int:
        if self._uid_block is None or promise.UID not in self.layers:
            return 0
        taken = {child.uid for child in self._children.values()}
        for uid in self._uid_block.uids:
            if uid not in taken:
                return uid
        raise RuntimeError(f"{len(taken)} workers live already, as many as have a uid each")


@dataclass
class _UidBlock:
    uids: range
    killer: int  # no worker's
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
        first = control.FIRST_UID + block * (control.UIDS_A_BASE + 1)
        killer = first + control.UIDS_A_BASE
        return _UidBlock(range(first, killer), killer, claim)
    raise RuntimeError("every block of worker uids is taken; are there other graders running?")


def _tell(lifeline: socket.socket, answer: control.Answer, *descriptors: int) -> None:
    with contextlib.suppress(OSError):  # the grading process has gone: nobody is left to tell
        socket.send_fds(lifeline, [control.encode(answer)], list(descriptors))


def _prepared(requests: socket.socket, settings: control.Settings) -> Base:
    preload(settings.packages)
    os.close(os.pidfd_open(os.getpid()))  # an old kernel has none: say so now
    own_uids = promise.UID not in settings.without and os.geteuid() == 0
    uid_block = _claim_uids() if own_uids else None  # before the network is left
    network_left = promise.NAMESPACE not in settings.without and confine.leave_network()
    return Base(requests, confine.Confiner(settings, network_left=network_left), uid_block)


def main() -> None:
    """Start, report the layers, serve, and end with the last grading process."""
    requests = socket.socket(fileno=int(sys.argv[1]))
    confine.die_early(confine.BASE)
    confine.shut_memory()
    confine.die_with_parent()
    confine.adopt_orphans()
    confine.bound_descriptors()
    try:
        settings = msgspec.msgpack.decode(
            requests.recv(control.MESSAGE_BYTES), type=control.Settings
        )
        base = _prepared(requests, settings)
    except Exception as error:
        _tell(requests, control.Failed(f"{type(error).__name__}: {error}"))
        return
    gc.collect()
    gc.freeze()  # workers share these pages for as long as nobody touches them
    _tell(requests, control.Ready(base.layers))
    base.run()


if __name__ == "__main__":
    main()
