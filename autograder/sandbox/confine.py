"""What a worker does to itself before it sees a byte of a student's; in this order, which was found
by running it (docs/security.md). Every layer that was planned is applied, or the
worker refuses to start.
"""

from __future__ import annotations

import contextlib
import ctypes
import glob
import os
import resource
import signal
import socket
import sys
from collections.abc import Callable, Collection
from typing import TYPE_CHECKING

from autograder.sandbox import promise
from autograder.sandbox.control import Settings, WorkerLimits
from autograder.sandbox.libraries import Libraries, readable_paths

if TYPE_CHECKING:
    import pyseccomp

    from autograder.sandbox.landlock import Ruleset

CHANNEL = 3
OWN_TASKS = 32  # threads of one worker
NOBODY = 65_534
MAX_DESCRIPTORS = 4096
BASE, WORKER = 500, 1000  # who goes first when memory runs out; the grading process has 0
_PDEATHSIG, _DUMPABLE, _SUBREAPER, _NO_NEW_PRIVS = 1, 4, 36, 38
_NEWNET, _NEWIPC, _NEWUTS = 0x40000000, 0x08000000, 0x04000000
LINUX = sys.platform.startswith("linux")
_ENVIRONMENT = {
    "PATH": "/nonexistent",
    "HOME": "/nonexistent",
    "TMPDIR": "/nonexistent",
    "LANG": "C.UTF-8",
    "OMP_NUM_THREADS": "1",
}


def _prctl(option: int, value: int) -> None:
    libc = ctypes.CDLL(None, use_errno=True)
    if libc.prctl(option, *(ctypes.c_ulong(argument) for argument in (value, 0, 0, 0))):
        raise OSError(ctypes.get_errno(), f"prctl {option}")


def shut_memory() -> None:
    """No other process of this user may read this one's memory or attach to it."""
    if LINUX:
        _prctl(_DUMPABLE, 0)


def die_with_parent() -> None:
    """Be killed when the parent ends. A change of uid clears it, so call it after."""
    if LINUX:
        _prctl(_PDEATHSIG, signal.SIGKILL)


def adopt_orphans() -> None:
    """Become the parent of whatever a worker leaves behind, to end and reap it."""
    _prctl(_SUBREAPER, 1)


def bound_descriptors() -> None:
    """Open none that a worker would not close (`MAX_DESCRIPTORS`)."""
    hard = resource.getrlimit(resource.RLIMIT_NOFILE)[1]
    most = MAX_DESCRIPTORS if hard == resource.RLIM_INFINITY else min(hard, MAX_DESCRIPTORS)
    resource.setrlimit(resource.RLIMIT_NOFILE, (most, most))


def leave_network() -> bool:
    """Give this process and its children an empty network of their own, where that is allowed."""
    libc = ctypes.CDLL(None, use_errno=True)
    return bool(libc.unshare(_NEWNET | _NEWIPC | _NEWUTS) == 0)


def mapped_bytes() -> int:
    """The address space this process uses; 0 where the system does not tell."""
    try:
        with open("/proc/self/statm", encoding="ascii") as file:
            return int(file.read().split()[0]) * resource.getpagesize()
    except OSError:
        return 0


class Confiner:
    """The layers of this machine, prepared once and entered by each worker.

    From here on this process finds no module but those of the libraries.

    Args:
        settings: what to leave out, and whether the course is closed to other users.
        network_left: the base process has already left the network.

    Raises:
        RuntimeError: there are other threads here: they would be confined by nothing.
    """

    def __init__(self, settings: Settings, *, network_left: bool) -> None:
        _require_one_thread()
        self._mapped = mapped_bytes()
        self._gpu = settings.gpu
        without = set(settings.without)
        self._ruleset = None if promise.LANDLOCK in without else _ruleset(readable_paths())
        self._uid = promise.UID not in without and os.geteuid() == 0 and _works(_become, NOBODY)
        private = self._uid and settings.secrets_private
        deny_every_open = self._ruleset is None and not private
        self._filter = None if promise.SECCOMP in without else _filter(deny_every_open)
        # The kernel counts tasks by user: where it is not the worker's own, ours are among them.
        self._tasks = OWN_TASKS if self._uid else OWN_TASKS + tasks_of_user()
        self.layers = [promise.LIMITS]
        if self._uid:
            self.layers.append(promise.UID)
        elif os.geteuid() == 0:
            self.layers.append(promise.STILL_ROOT)
        if self._ruleset:
            self.layers.append(f"{promise.LANDLOCK} ABI {self._ruleset.abi}")
        elif private:
            self.layers.append(promise.PRIVATE)
        if self._filter:
            self.layers.append(promise.SECCOMP)
            if deny_every_open:
                self.layers.append(promise.NO_FILES)
        if network_left:
            self.layers.append(promise.NAMESPACE)
        if self._gpu:
            self.layers.append(promise.GPU)
        libraries = Libraries(reopened=self._uid)
        self._keep = frozenset(libraries.descriptors)
        if self._ruleset:
            self._keep |= {self._ruleset.fd}  # closed once it is entered

    def enter(self, channel: int, limits: WorkerLimits, uid: int) -> socket.socket:
        """Confine this process for good; returns its only way out, at descriptor 3.

        Raises:
            OSError, RuntimeError: a planned layer could not be applied: do not go on.
        """
        die_early(WORKER)
        _only_descriptor(channel, self._keep)
        os.chdir("/")
        os.umask(0o077)
        os.environ.clear()
        os.environ.update(_ENVIRONMENT)
        _set_limits(limits, self._mapped, self._tasks, gpu=self._gpu)
        if self._gpu:  # after the fork, and while its devices and libraries can still be opened
            start_gpu()
        if LINUX:
            _prctl(_NO_NEW_PRIVS, 1)
        if self._ruleset:  # before the uid changes: a library in a 0700 home is still reachable
            self._ruleset.enter()
        if self._uid:
            _become(uid)
        parent = os.getppid()
        die_with_parent()
        if os.getppid() != parent or parent == 1:
            raise RuntimeError("the base process ended while this worker started")
        shut_memory()
        if self._filter:
            self._filter.load()
        return socket.socket(fileno=CHANNEL)


def _require_one_thread() -> None:
    if LINUX and len(os.listdir("/proc/self/task")) != 1:
        raise RuntimeError("an imported package has started threads")


def _ruleset(readable: Collection[str]) -> Ruleset | None:
    if not LINUX:
        return None
    from autograder.sandbox.landlock import LandlockError, Ruleset

    try:
        ruleset = Ruleset(readable)
    except LandlockError:
        return None
    return ruleset if _works(ruleset.enter) else None


def _filter(deny_every_open: bool) -> pyseccomp.SyscallFilter | None:
    try:
        from autograder.sandbox.seccomp import build_filter
    except (ImportError, RuntimeError, OSError):  # no libseccomp on this machine
        return None
    rules = build_filter(deny_every_open=deny_every_open)
    return rules if _works(rules.load) else None


def _works(layer: Callable[..., None], *arguments: int) -> bool:
    """Whether a layer can be entered on this machine, tried in a child that ends at once."""
    child = os.fork()
    if child == 0:
        try:
            _prctl(_NO_NEW_PRIVS, 1)
            layer(*arguments)
        except BaseException:
            os._exit(1)
        os._exit(0)
    return os.waitpid(child, 0)[1] == 0


def _only_descriptor(channel: int, keep: frozenset[int]) -> None:
    for number in (signal.SIGCHLD, signal.SIGTERM, signal.SIGINT, signal.SIGXCPU):
        signal.signal(number, signal.SIG_DFL)
    null = os.open("/dev/null", os.O_RDWR)
    for standard in range(3):
        os.dup2(null, standard)
    os.dup2(channel, CHANNEL)  # last: `null` may be at its number
    kept = sorted({CHANNEL, *keep})
    for low, high in zip(kept, [*kept[1:], MAX_DESCRIPTORS], strict=True):
        os.closerange(low + 1, high)


def tasks_of_user() -> int:
    """How many tasks this user runs on this machine; as many as there may be, where none tells."""
    mine = f"Uid:\t{os.getuid()}\t"
    total = 0
    for path in glob.glob("/proc/[0-9]*/status"):
        with contextlib.suppress(OSError), open(path, encoding="utf-8", errors="replace") as file:
            text = file.read()
            if mine in text:
                total += int(text.partition("\nThreads:")[2].split()[0])
    return total


def die_early(score: int) -> None:
    """When memory runs out, this process and its children go before those of a lower score.

    Before `shut_memory`, which takes the file away from an ordinary user: then a worker keeps the
    score of its base process.
    """
    with contextlib.suppress(OSError), open("/proc/self/oom_score_adj", "w") as file:
        file.write(str(score))


def start_gpu() -> None:
    """Let the driver start, and load the kernels that steps use most.

    Raises:
        RuntimeError: there is no GPU.
    """
    import torch

    for dtype in (torch.float32, torch.bfloat16):
        x = torch.ones(2, 4, 8, dtype=dtype, device="cuda")  # (batch, n, d)
        torch.nn.functional.layer_norm(torch.softmax(x @ x.mT, -1) @ x, (8,))
    torch.cuda.synchronize()


def _set_limits(limits: WorkerLimits, mapped: int, tasks: int, *, gpu: bool) -> None:
    wanted = {
        "RLIMIT_CPU": limits.cpu_seconds,
        "RLIMIT_FSIZE": 0,
        "RLIMIT_NOFILE": 64,
        "RLIMIT_CORE": 0,
        "RLIMIT_MEMLOCK": 0,
        "RLIMIT_STACK": 8 << 20,
        "RLIMIT_MSGQUEUE": 0,
        "RLIMIT_SIGPENDING": 64,
    }
    if gpu:  # its driver maps far more than there is memory, and starts threads
        wanted["RLIMIT_NOFILE"] = MAX_DESCRIPTORS
    elif LINUX:
        wanted["RLIMIT_AS"] = mapped + (limits.memory_mb << 20)
        wanted["RLIMIT_NPROC"] = tasks
    for name, value in wanted.items():
        which = getattr(resource, name, None)
        if which is None:
            continue  # not a limit of this system
        # SIGXCPU, which says why, comes at the soft limit; SIGKILL, at the hard one.
        last = value + 1 if name == "RLIMIT_CPU" else value
        hard = resource.getrlimit(which)[1]
        last = last if hard == resource.RLIM_INFINITY else min(last, hard)
        resource.setrlimit(which, (min(value, last), last))


def _become(uid: int) -> None:
    os.setgroups([])
    os.setresgid(uid, uid, uid)
    os.setresuid(uid, uid, uid)
    if os.getresuid() != (uid, uid, uid) or os.getgroups():
        raise RuntimeError("the change of uid did not hold")
    try:
        os.setuid(0)
    except PermissionError:
        return
    raise RuntimeError("root could be had back after the change of uid")
