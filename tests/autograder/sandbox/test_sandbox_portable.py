"""What holds wherever Python runs: nothing of one system is needed to import the framework, and
nothing in it can unpickle."""

from __future__ import annotations

import ast
import subprocess
import sys
from pathlib import Path

import pytest

import autograder
from autograder.sandbox import SandboxRefused, Settings
from autograder.sandbox.promise import LIMITS
from autograder.sandbox.spawning import SpawningSandbox

FRAMEWORK = Path(autograder.__file__).parent
# Taken away before a line of ours is imported, as on a system that never had them.
NOT_ON_A_MAC = """
import ctypes, errno, os, resource, select, signal, socket, subprocess, sys, sysconfig, time
import numpy, msgspec
sysconfig.get_paths()
for module, names in {
    os: "O_PATH O_TMPFILE pidfd_open memfd_create setresuid setresgid getresuid getresgid "
        "sched_setaffinity sched_getaffinity unshare setns eventfd",
    signal: "pidfd_send_signal SIGRTMIN SIGPWR SIGSTKFLT",
    select: "epoll",
    resource: "prlimit RLIMIT_MSGQUEUE RLIMIT_SIGPENDING RLIMIT_NICE RLIMIT_RTPRIO RLIMIT_RTTIME",
    socket: "SO_PEERCRED AF_NETLINK",
}.items():
    for name in names.split():
        vars(module).pop(name, None)
for name in ("pyseccomp", "py_landlock"):
    sys.modules[name] = None
class NoLinux:
    def __getattr__(self, name):
        raise AttributeError(f"dlsym: symbol not found: {name}")
ctypes.CDLL = lambda *_, **__: NoLinux()
sys.platform = "darwin"
"""
ON_A_MAC = (
    NOT_ON_A_MAC
    + """
import autograder.forks, autograder.cli.doctor
from autograder import wire
from autograder.sandbox import *
sys.executable = sys.argv[1]
sandbox = open_sandbox(Settings())
assert type(sandbox).__name__ == "SpawningSandbox"
worker = sandbox.spawn(WorkerLimits(memory_mb=128, cpu_seconds=5))
worker.load({"step": "def f(x): return x + 1\\ndef g():\\n    while True: pass"}, "step", 5)
value = worker.call("step", "f", [numpy.ones(3)], {}, wire.Deadline.after(5)).value
try:
    worker.call("step", "g", [], {}, wire.Deadline.after(0.2))
except WorkerEnded as error:
    print(error.ending.name, value.tolist(), sandbox.confinement.promise, *worker.layers)
sandbox.close()
"""
)


def test_a_system_without_linux_calls_grades_with_a_weak_promise(python_that):
    """As on macOS: neither side finds O_PATH, pidfds, prctl, Landlock or a filter."""
    python_that(NOT_ON_A_MAC)
    wrapped = sys.executable
    real = Path(wrapped).read_text().split()[0].removeprefix("#!")

    command = [real, "-c", ON_A_MAC, wrapped]
    done = subprocess.run(command, capture_output=True, text=True, timeout=60)

    assert done.stderr == ""
    ending, *rest = done.stdout.split(maxsplit=1)
    assert ending == "TIME"
    assert rest[0].startswith("[2.0, 2.0, 2.0] weak limits")


def test_a_spawned_worker_that_cannot_start_says_why(python_that):
    """There is no base process to ask."""
    with pytest.raises(SandboxRefused, match="no_such_package"):
        SpawningSandbox(Settings(packages=("no_such_package",)))

    python_that("raise SystemExit")
    with pytest.raises(SandboxRefused, match="did not say hello"):
        SpawningSandbox(Settings())


def test_limits_are_the_least_that_any_system_has(spawning):
    """Whatever else is missing."""
    assert spawning.confinement.layers[0] == LIMITS
    assert spawning.alive()


FORBIDDEN = {"pickle", "cPickle", "_pickle", "dill", "cloudpickle", "joblib", "marshal", "shelve"}
RUNNING = {"exec", "eval", "compile", "__import__"}


def imported(tree: ast.AST) -> set[str]:
    """The top-level names of all modules that a source imports, wherever it does so."""
    names = set()
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            names |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom):
            names |= {node.module or "", *(f"{node.module}.{alias.name}" for alias in node.names)}
    return names


@pytest.mark.parametrize(
    "path", sorted(FRAMEWORK.rglob("*.py")), ids=lambda path: str(path.relative_to(FRAMEWORK))
)
def test_nothing_in_the_framework_can_unpickle(path):
    """Nor is a string run as a program anywhere but in the worker, nor numpy told to unpickle."""
    tree = ast.parse(path.read_text("utf-8"))
    called = {
        node.func.id
        for node in ast.walk(tree)
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name)
    }
    named = {node.arg for node in ast.walk(tree) if isinstance(node, ast.keyword)}

    assert not FORBIDDEN & {name.split(".")[0] for name in imported(tree)}
    assert not RUNNING & called or path.parent.name == "worker"
    assert "allow_pickle" not in named


@pytest.mark.parametrize("room", ["wire", "worker", "sandbox"])
def test_the_workers_side_knows_nothing_of_the_course(room):
    """These rooms import each other, downwards, and the words for errors; nothing above."""
    allowed = {
        "wire": ("autograder.wire",),
        "worker": ("autograder.wire", "autograder.worker"),
        "sandbox": (
            "autograder.wire",
            "autograder.worker",
            "autograder.sandbox",
            "autograder.errors",
        ),
    }[room]

    for path in (FRAMEWORK / room).glob("*.py"):
        ours = {
            name
            for name in imported(ast.parse(path.read_text("utf-8")))
            if name.startswith("autograder.")
        }
        assert not {name for name in ours if not name.startswith(allowed)}, path.name


def test_a_machine_without_landlock_or_libseccomp_is_told_apart(opened, python_that):
    """The layers that are missing are named, and the promise is less; nothing is claimed."""
    python_that(
        "import ctypes.util\n"
        "find = ctypes.util.find_library\n"
        "ctypes.util.find_library = lambda name: None if name == 'seccomp' else find(name)\n"
        "import py_landlock\n"
        "from py_landlock import landlock_sys\n"
        "def none(): raise py_landlock.LandlockError('not built into this kernel')\n"
        "landlock_sys.get_abi_version = none\n"
    )

    confinement = opened().confinement

    assert {"Landlock", "seccomp"} <= set(confinement.missing)
    assert confinement.promise == "weak"
