"""What is promised is what is there: each layer is seen from outside, each missing one is told."""

from __future__ import annotations

import ctypes
import ctypes.util
import os

import numpy as np
import pytest

from autograder.sandbox import (
    SandboxRefused,
    Settings,
    StudentRaised,
    WorkerLimits,
)
from autograder.sandbox.promise import (
    LANDLOCK,
    LIMITS,
    NAMESPACE,
    NO_FILES,
    PRIVATE,
    SECCOMP,
    UID,
    has_layer,
)
from autograder.sandbox.spawning import SpawningSandbox

ROOT = os.geteuid() == 0

HONEST = """
import random
import numpy as np
def f(x):
    print("shape", x.shape)
    random.random()
    try:
        raise ValueError
    except ValueError:
        weights = np.exp(x - x.max(-1, keepdims=True))
        return weights / weights.sum(-1, keepdims=True), np.linalg.norm(x)
"""
READER = """
import os
def looks_for(path):
    found = []
    for way in (path, "/proc/self/root" + path, "/proc/self/cwd" + path, ".." + path):
        for opens in (lambda: open(way).read(), lambda: os.read(os.open(way, os.O_RDONLY), 999)):
            try:
                found.append(str(opens()))
            except OSError as error:
                found.append(str(error))
    try:
        found += os.listdir(os.path.dirname(path))
    except OSError as error:
        found.append(str(error))
    return found
"""


def can_leave_the_network() -> bool:
    """Whether this user may have a network of its own, tried in a child."""
    child = os.fork()
    if child == 0:
        os._exit(ctypes.CDLL(None).unshare(0x4C000000) != 0)
    return os.waitpid(child, 0)[1] == 0


def test_every_layer_that_this_machine_has_is_used(forking, status):
    """What it has is asked of the kernel here, in other ways: no layer is lost in silence."""
    capabilities = int(status(os.getpid())["CapEff"], 16)
    landlock_create_ruleset, set_gid_and_uid = 444, 0b11 << 6
    present = {
        UID: capabilities & set_gid_and_uid == set_gid_and_uid and ROOT,
        LANDLOCK: ctypes.CDLL(None).syscall(landlock_create_ruleset, None, 0, 1) > 0,
        SECCOMP: ctypes.util.find_library("seccomp") is not None,
        NAMESPACE: can_leave_the_network(),
    }

    used = {layer: has_layer(forking.confinement.layers, layer) for layer in present}

    assert used == present


def test_the_kernel_confirms_what_hello_says(sandbox, student, status):
    """From outside: uid, capabilities, filter and limits of a live worker."""
    layers = sandbox.confinement.layers
    worker = student(sandbox, HONEST, WorkerLimits(memory_mb=300, cpu_seconds=7))
    said = status(worker.pid)
    uid = int(said["Uid"].split()[0])

    assert worker.worker.layers == layers
    assert said["NoNewPrivs"] == "1"
    assert said["Threads"] == "1"
    assert (said["Seccomp"] == "2") == has_layer(layers, SECCOMP)
    assert (uid != os.getuid()) == has_layer(layers, UID)
    assert set(said["Uid"].split()) == {str(uid)}
    if has_layer(layers, UID):
        assert (said["Groups"], int(said["CapPrm"], 16)) == ("", 0)
    with open(f"/proc/{worker.pid}/limits", encoding="ascii") as file:
        limits = {line[:25].strip(): line[26:].split()[:2] for line in file}
    assert limits["Max cpu time"] == ["7", "8"]
    assert limits["Max file size"] == limits["Max core file size"] == ["0", "0"]
    assert limits["Max open files"] == ["64", "64"]
    assert 300 << 20 < int(limits["Max address space"][1]) < 2 << 30


EVERYTHING = (LANDLOCK, SECCOMP, UID)
MATRIX = [
    # left out, course closed to others; the promise as root, and as an ordinary user
    ((), False, "strong", "strong"),
    ((NAMESPACE,), False, "strong", "strong"),
    ((LANDLOCK,), False, "strong", "strong"),
    ((LANDLOCK,), True, "strong", "strong"),
    ((SECCOMP,), False, "medium", "medium"),
    ((UID,), False, "weak", "strong"),
    ((LANDLOCK, SECCOMP), True, "medium", "weak"),
    ((LANDLOCK, SECCOMP), False, "weak", "weak"),
    (EVERYTHING, True, "weak", "weak"),
]


@pytest.mark.parametrize(("without", "private", "as_root", "as_user"), MATRIX)
def test_every_mode_keeps_its_promise(mode, student, request, without, private, as_root, as_user):
    """The secret is out exactly where the promise is weak: the same oracle sees both."""
    course = request.getfixturevalue("closed_course" if private else "course")
    sandbox = mode(*without, private=private)
    layers = sandbox.confinement.layers
    machine_has_landlock = LANDLOCK in without or has_layer(layers, LANDLOCK)

    found = student(sandbox, READER)("looks_for", str(course.hidden))

    if machine_has_landlock:
        assert sandbox.confinement.promise == (as_root if ROOT else as_user)
    guarded = (LANDLOCK, NO_FILES, PRIVATE)
    closed = any(has_layer(layers, layer) for layer in guarded)
    assert (course.secret in str(found)) == (not closed)
    assert (course.hidden.name in str(found[-1])) == (not closed)
    assert closed or sandbox.confinement.promise == "weak"


@pytest.mark.parametrize(("without", "private"), [row[:2] for row in MATRIX])
def test_an_honest_solution_runs_in_every_mode(mode, student, without, private):
    """It prints, draws, raises, and uses numpy's submodules; nothing of it needs a file."""
    sandbox = mode(*without, private=private)

    answer = student(sandbox, HONEST).answer("f", np.zeros((2, 4)))

    assert answer.value[0].tolist() == [[0.25] * 4] * 2
    assert answer.output == "shape (2, 4)\n"


def test_without_landlock_no_file_at_all_is_opened(mode, student):
    """Where nothing else guards the files, not even /dev/null is had, and no late import."""
    sandbox = mode(LANDLOCK)
    source = """
import os
def opens(path, flags):
    try:
        os.close(os.open(path, flags))
    except OSError as error:
        return error.errno
    return 0
def imports():
    import json, numpy.linalg
    import xml.dom.minidom
"""
    worker = student(sandbox, source)
    paths = ("/dev/null", "/etc/passwd", "/proc/self/status", os.__file__, "/", ".")

    assert NO_FILES in sandbox.confinement.layers
    assert {worker("opens", path, flags) for path in paths for flags in (0, os.O_PATH)} == {13}
    with pytest.raises(StudentRaised):
        worker("imports")


FAILING = {
    "Landlock": "self._ruleset and setattr(self._ruleset, 'enter', fail)",
    "the filter": "self._filter and setattr(self._filter, 'load', fail)",
    "the uid": "self._uid and setattr(confine, '_become', fail)",
    "the limits": "setattr(confine, '_set_limits', fail)",
    "the memory": "setattr(confine, 'shut_memory', fail)",
    "a layer nobody planned for": "self.layers.append('another')",
}
APPLIED = {"Landlock": LANDLOCK, "the filter": SECCOMP, "the uid": UID}
SABOTAGE = """
from autograder.sandbox import confine
def fail(*arguments, **named):
    raise OSError(1, "sabotage")
prepare = confine.Confiner.__init__
def sabotaged(self, *arguments, **named):
    prepare(self, *arguments, **named)
    plan = list(self.layers)
    {sabotage}
confine.Confiner.__init__ = sabotaged
"""


@pytest.mark.parametrize("layer", [layer for layer in FAILING if "nobody" not in layer])
def test_a_layer_that_cannot_be_applied_means_refusal(opened, python_that, layer):
    """Planned, tried out, and then it fails in the worker: no worker, and the reason is told."""
    python_that(SABOTAGE.format(sabotage=FAILING[layer]))
    sandbox = opened()
    if not has_layer(sandbox.confinement.layers, APPLIED.get(layer, LIMITS)):
        sandbox.spawn(WorkerLimits(64, 1)).kill()  # nothing to sabotage on this machine
        return

    for _ in range(2):
        with pytest.raises(SandboxRefused, match="sabotage"):
            sandbox.spawn(WorkerLimits(64, 1))
    assert sandbox.alive()


@pytest.mark.parametrize("layer", [layer for layer in FAILING if layer != "the uid"])
def test_a_spawned_worker_refuses_too(spawning, python_that, layer):
    """It goes through the same door, and its first worker is a trial."""
    planned = spawning.confinement.layers
    python_that(SABOTAGE.format(sabotage=FAILING[layer]))

    if "nobody" in layer:
        assert SpawningSandbox(Settings()).confinement.layers == (*planned, "another")
        return
    if not has_layer(planned, APPLIED.get(layer, LIMITS)):
        return  # nothing to sabotage on this machine
    with pytest.raises(SandboxRefused, match="sabotage"):
        SpawningSandbox(Settings())


def test_a_worker_with_other_layers_than_planned_is_refused(opened, python_that):
    """Not fewer and not others: what Hello says is compared with what was announced."""
    python_that(
        "from autograder import wire\n"
        "hello = wire.Hello\n"
        "wire.Hello = lambda layers, refused='': hello(layers[:-1], refused)\n"
    )

    with pytest.raises(SandboxRefused, match="it has the layers"):
        opened().spawn(WorkerLimits(64, 1))


@pytest.mark.parametrize(
    ("code", "settings", "words"),
    [
        ("", {"packages": ("no_such_package",)}, "no_such_package"),
        (
            "import threading, time\n"
            "threading.Thread(target=time.sleep, args=(9,), daemon=True).start()",
            {},
            "started threads",
        ),
        ("import os\ndef f(pid): raise OSError('no pidfd')\nos.pidfd_open = f", {}, "no pidfd"),
        ("raise SystemExit", {}, "did not start"),
    ],
    ids=["package", "thread", "old kernel", "dead"],
)
def test_a_base_process_that_cannot_start_says_why(opened, python_that, code, settings, words):
    """Also when it dies before it can say a word."""
    python_that(code)

    with pytest.raises(SandboxRefused, match=words):
        opened(**settings)
