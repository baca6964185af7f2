"""Real workers, a course with a secret in it, and an interpreter that can be tampered with."""

from __future__ import annotations

import platform
import secrets
import shutil
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from autograder import wire
from autograder.sandbox import LINUX, Sandbox, Settings, Worker, WorkerLimits, open_sandbox
from autograder.sandbox.promise import LANDLOCK, NO_FILES, PRIVATE, SECCOMP, has_layer
from autograder.sandbox.spawning import SpawningSandbox

LIMITS = WorkerLimits(memory_mb=256, cpu_seconds=5)
SECONDS = 10.0
CALLS = ("prctl", "fcntl", "ioctl", "clone", "prlimit64", "perf_event_open")
NUMBERS = {  # of calls that have to be made past the C library, which tidies their arguments
    "x86_64": dict(zip(CALLS, (157, 72, 16, 56, 302, 298), strict=True)),
    "aarch64": dict(zip(CALLS, (167, 25, 29, 220, 261, 241), strict=True)),
}.get(platform.machine(), {})
NOISE = 1 << 32  # in a bit that the kernel does not read
TRYING = f"""
import ctypes, fcntl, os, resource, signal, socket, struct, sys, time
libc = ctypes.CDLL(None, use_errno=True)
libc.syscall.restype = ctypes.c_long
N, NOISE = {NUMBERS!r}, {NOISE}
ALLOWED = []

def call(number, *arguments):
    made = [ctypes.c_long(a) if isinstance(a, int) else a for a in arguments]
    return libc.syscall(ctypes.c_long(number), *made)

def tried(name, way, *arguments):
    try:
        result = way(*arguments)
    except (OSError, ValueError, RuntimeError, ImportError, LookupError):
        return
    if not (isinstance(result, int) and result < 0):
        ALLOWED.append(f"{{name}} {{arguments}} gave {{result!r}}")
"""
RUN_MODULE = """
import runpy, sys
_, _, _, _, module, *arguments = sys.argv  # it was called as: python -I -B -m MODULE ARGUMENTS
sys.argv = [module, *arguments]
runpy.run_module(module, run_name="__main__", alter_sys=True)
"""


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Where nothing can be forked safely, only the tests that say so run."""
    for item in items:
        if not LINUX and Path(__file__).parent in item.path.parents:
            item.add_marker(pytest.mark.skip("forks workers"))


@pytest.fixture(scope="session")
def forking() -> Iterator[Sandbox]:
    """The sandbox of this machine, with all the layers it has."""
    sandbox = open_sandbox(Settings())
    yield sandbox
    sandbox.close()


@pytest.fixture(scope="session")
def spawning() -> Iterator[Sandbox]:
    """The sandbox of a system where nothing is forked, on this machine."""
    sandbox = SpawningSandbox(Settings())
    yield sandbox
    sandbox.close()


@pytest.fixture(params=["forking", "spawning"])
def sandbox(request: pytest.FixtureRequest) -> Sandbox:
    """Both ways of starting a worker: what holds for one holds for the other."""
    made: Sandbox = request.getfixturevalue(request.param)
    return made


@pytest.fixture(params=["forking", "spawning", "unlocked"])
def any_sandbox(request: pytest.FixtureRequest) -> Sandbox:
    """Every way of starting a worker, and every way of keeping it from the files."""
    made: Sandbox = request.getfixturevalue(request.param)
    return made


@pytest.fixture
def unlocked(mode: Callable[..., Sandbox]) -> Sandbox:
    """Without Landlock: another uid before a closed course, else no file at all."""
    return mode(LANDLOCK, private=True)


@pytest.fixture
def trying() -> str:
    """The head of a hostile source: `tried(name, way, *arguments)` notes in ALLOWED what works."""
    return TRYING


@pytest.fixture
def guarded() -> Callable[[Sandbox], bool]:
    """Whether the layers are there that a refusal of everything takes."""

    def judge(sandbox: Sandbox) -> bool:
        layers = sandbox.confinement.layers
        files = any(has_layer(layers, layer) for layer in (LANDLOCK, NO_FILES, PRIVATE))
        return has_layer(layers, SECCOMP) and files

    return judge


@pytest.fixture(scope="session")
def mode() -> Iterator[Callable[..., Sandbox]]:
    """A sandbox that leaves some layers out, opened once."""
    sandboxes: dict[object, Sandbox] = {}

    def of(*without: str, private: bool = False) -> Sandbox:
        settings = Settings(without=without, secrets_private=private)
        if settings not in sandboxes:
            sandboxes[settings] = open_sandbox(settings)
        return sandboxes[settings]

    yield of
    for sandbox in sandboxes.values():
        sandbox.close()


class Student:
    """A worker with one file of a student's loaded."""

    def __init__(self, worker: Worker, source: str) -> None:
        self.worker = worker
        self.worker.load({"step": source}, "step", SECONDS)

    def answer(self, function: str, *arguments: object, seconds: float = SECONDS) -> Any:
        """All that a call gave back."""
        deadline = wire.Deadline.after(seconds)
        return self.worker.call("step", function, arguments, {}, deadline)

    def __call__(self, function: str, *arguments: object, seconds: float = SECONDS) -> Any:
        """The value that a call returned."""
        return self.answer(function, *arguments, seconds=seconds).value

    @property
    def pid(self) -> int:
        """Of its process; the source must import os."""
        process: Any = self.worker._process
        if hasattr(process, "_process"):
            return int(process._process.pid)
        with open(f"/proc/self/fdinfo/{process._pidfd}", encoding="ascii") as file:
            return next(int(line.split()[1]) for line in file if line.startswith("Pid:"))


@pytest.fixture
def student() -> Iterator[Callable[..., Student]]:
    """Load a source into a fresh worker, which is ended after the test."""
    workers: list[Worker] = []

    def start(sandbox: Sandbox, source: str, limits: WorkerLimits = LIMITS) -> Student:
        workers.append(sandbox.spawn(limits))
        return Student(workers[-1], source)

    yield start
    for worker in workers:
        worker.kill()


@pytest.fixture
def opened() -> Iterator[Callable[..., Sandbox]]:
    """Open a sandbox with other settings, which is closed after the test."""
    sandboxes: list[Sandbox] = []

    def start(**settings: Any) -> Sandbox:
        sandboxes.append(open_sandbox(Settings(**settings)))
        return sandboxes[-1]

    yield start
    for sandbox in sandboxes:
        sandbox.close()


@dataclass(frozen=True)
class Course:
    """A folder that anybody may read and write, so that Unix permissions are no help."""

    folder: Path
    secret: str

    @property
    def hidden(self) -> Path:
        """A hidden grader; the secret stands in it."""
        return self.folder / "tests" / "test_hidden.py"


def make_course(folder: Path) -> Course:
    """Write the hidden grader into `folder`."""
    course = Course(folder, f"CANARY-{secrets.token_hex(16)}")
    course.hidden.parent.mkdir()
    course.hidden.write_text(f"expected = '{course.secret}'\n")
    for path, mode in ((folder, 0o777), (course.hidden.parent, 0o777), (course.hidden, 0o666)):
        path.chmod(mode)
    return course


@pytest.fixture
def course() -> Iterator[Course]:
    """A course in the open."""
    folder = Path(tempfile.mkdtemp(prefix="course-"))
    yield make_course(folder)
    shutil.rmtree(folder)


@pytest.fixture
def closed_course(tmp_path: Path) -> Course:
    """The same in a folder that no other user of the machine may enter."""
    outer = tmp_path / "closed"
    inner = outer / "course"
    inner.mkdir(parents=True)
    outer.chmod(0o700)
    return make_course(inner)


@pytest.fixture
def python_that(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Callable[[str], None]:
    """Start base processes and spawned workers with an interpreter that runs this code first."""

    def install(code: str) -> None:
        path = tmp_path / "python"
        path.write_text(f"#!{sys.executable} -IB\n{code}\n{RUN_MODULE}")
        path.chmod(0o755)
        monkeypatch.setattr(sys, "executable", str(path))

    return install


@pytest.fixture
def gone() -> Callable[..., bool]:
    """Whether these processes end before some seconds have passed; with 0 seconds, whether they
    are gone and reaped already. (Orphans are reaped by whatever process 1 is here.)"""

    def there(pid: int, zombies: bool) -> bool:
        try:
            with open(f"/proc/{pid}/stat", encoding="utf-8") as file:
                return zombies or file.read().rsplit(")", 1)[1].split()[0] != "Z"
        except (FileNotFoundError, ProcessLookupError):
            return False

    def wait(*pids: int, seconds: float = 5.0) -> bool:
        end = time.monotonic() + seconds
        while any(there(pid, zombies=seconds == 0) for pid in pids):
            if time.monotonic() > end:
                return False
            time.sleep(0.005)
        return True

    return wait


@pytest.fixture
def status() -> Callable[[int], dict[str, str]]:
    """What the kernel says of a process."""

    def read(pid: int) -> dict[str, str]:
        with open(f"/proc/{pid}/status", encoding="utf-8") as file:
            return {name: value.strip() for name, value in (line.split(":", 1) for line in file)}

    return read
