"""The processes that a worker leaves behind where no filter keeps it from making any; the base
process adopts them, ends them and reaps them."""

from __future__ import annotations

import contextlib
import os
import signal
from collections.abc import Container

ROUNDS = 100  # each may uncover the children of those that it ended


def end_all_of(uid: int, killer: int) -> None:
    """End every process of `uid` by one kill(2), which leaves no time to fork again.

    Args:
        killer: a uid of nobody's, which the process that does it has for its own: whom it is
            about to end could otherwise stop it first.
    """
    child = os.fork()
    if child == 0:
        try:
            os.setresuid(killer, uid, killer)
            os.kill(-1, signal.SIGKILL)
        finally:
            os._exit(0)
    os.waitpid(child, 0)


def end_adopted(keep: Container[int]) -> None:
    """End and reap this process's children, but for those to `keep`."""
    for _ in range(ROUNDS):
        orphans = [pid for pid in _children() if pid not in keep]
        if not orphans:
            return
        for pid in orphans:
            with contextlib.suppress(ProcessLookupError):
                os.kill(pid, signal.SIGKILL)
            os.waitpid(pid, 0)


def _children() -> list[int]:
    """This process's children, dead ones too; none where the system does not tell."""
    try:
        with open(f"/proc/self/task/{os.getpid()}/children", encoding="ascii") as file:
            return [int(pid) for pid in file.read().split()]
    except OSError:
        return []
