"""Where a class of attacks is graded: the real command, run as each kind of machine runs it."""

from __future__ import annotations

import ctypes
import json
import os
import shutil
import subprocess
import sys
import sysconfig
import tempfile
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import IO, Any

import autograder
from autograder.sandbox import LINUX

WATCHED = Path(__file__).with_name("watched.py")
PROFILE = Path(__file__).parents[1] / "gradescope"  # of a default container
ORDINARY = 65_432  # a uid that nobody has
PORT = 47_811
SECONDS = 600.0
PATHS = ("stdlib", "platstdlib", "purelib", "platlib")


@dataclass(frozen=True)
class Environment:
    """One kind of machine.

    Args:
        name: in the names of tests.
        layers: that a worker must have here, whatever follows their names.
        missing: layers that it cannot have here.
        open: the course may be read and written by anybody: the layers alone keep it.
    """

    name: str
    layers: tuple[str, ...]
    missing: tuple[str, ...] = ()
    open: bool = True
    container: bool = False
    landlock: bool = True
    uid: int | None = None


ENVIRONMENTS = {
    one.name: one
    for one in (
        Environment("root", ("own uid", "Landlock", "seccomp", "network namespace")),
        Environment(
            "container", ("own uid", "Landlock", "seccomp"), ("network namespace",), container=True
        ),
        Environment(
            "container-no-landlock",
            ("own uid", "course files closed to other users", "seccomp"),
            ("Landlock", "network namespace"),
            open=False,
            container=True,
            landlock=False,
        ),
        Environment(
            "user", ("Landlock", "seccomp"), ("own uid", "network namespace"), uid=ORDINARY
        ),
        Environment(
            "user-no-landlock",
            ("seccomp", "no file may be opened"),
            ("own uid", "Landlock", "network namespace"),
            landlock=False,
            uid=ORDINARY,
        ),
    )
}


HERE = Environment("here", ())  # whatever this machine is
UNGUARDED = Environment("same-process", (), uid=ORDINARY)


@cache
def has_namespaces() -> bool:
    """Whether each environment can have processes, network, queues and folders of its own."""
    if not LINUX or os.geteuid() != 0 or not shutil.which("unshare"):
        return False
    command = ["unshare", "--mount", "--pid", "--ipc", "--net", "--fork", "true"]
    return subprocess.run(command, capture_output=True, check=False).returncode == 0


def why_unavailable(environment: Environment) -> str:
    """Why this machine cannot be made into that one; empty: it can."""
    if not LINUX:
        return "needs Linux"
    if environment != HERE and not has_namespaces():
        return "needs root, unshare(1), and a root that may make namespaces"
    if environment.uid is not None and any(map(_is_closed, needed())):
        return "Python, or this repository, is closed to other users"
    if "Landlock" in environment.layers and ctypes.CDLL(None).syscall(444, None, 0, 1) < 0:
        return "this kernel has no Landlock"
    return ""


def _is_closed(folder: str) -> bool:
    """Whether others may not read it, whatever lies above it."""
    return Path(folder).stat().st_mode & 0o005 != 0o005


OWN = ENVIRONMENTS["root"] if has_namespaces() else HERE


@dataclass(frozen=True)
class Ran:
    """What one command came to, and what it left (watched.Left)."""

    stdout: str
    stderr: str
    left: dict[str, Any]

    @property
    def status(self) -> int:
        """128 and the signal for a killed one."""
        return int(self.left["status"])


def run(environment: Environment, command: list[str], folder: Path, home: Path) -> Ran:
    """Run a command of Python's to its end, there.

    Args:
        command: what follows `python`.
        folder: what is seen in there beside the machine's own; a socket is made in it.
    """
    private = has_namespaces()
    order = {
        "command": [sys.executable, *command],
        "environment": _variables(home),
        "folder": str(home),
        "namespaces": private,
        "shown": sorted({*needed(), str(folder)}),
        "container": environment.container,
        "landlock": environment.landlock,
        "uid": environment.uid if private else None,
        "port": PORT,
        "listening": str(folder / "listening"),
        "seconds": SECONDS,
    }
    with tempfile.TemporaryFile() as out, tempfile.TemporaryFile() as errors:
        outputs = [out.fileno(), errors.fileno()]
        said = subprocess.run(
            [sys.executable, "-s", "-B", str(WATCHED)],
            env={**os.environ, "PYTHONPATH": str(PROFILE)},
            input=json.dumps({**order, "output": outputs}),
            pass_fds=outputs,
            capture_output=True,
            text=True,
            check=False,
        )
        if said.returncode:
            raise RuntimeError(f"{environment.name}: {said.stderr}")
        texts = [_written(file) for file in (out, errors)]
    return Ran(*texts, json.loads(said.stdout))


def _written(file: IO[bytes]) -> str:
    file.seek(0)
    return file.read().decode("utf-8", "replace")


def _variables(home: Path) -> dict[str, str]:
    kept = {name: os.environ[name] for name in os.environ if name.startswith("OPENBLAS_")}
    path = "/usr/local/bin:/usr/bin:/bin"
    own = {"PATH": path, "HOME": str(home), "LANG": "C.UTF-8", "PYTHONDONTWRITEBYTECODE": "1"}
    return {**kept, **own}


@cache
def needed() -> tuple[str, ...]:
    """Every folder that Python, its packages and the framework lie in, wherever that is."""
    base = os.path.dirname(os.path.dirname(os.path.realpath(sys.executable)))
    libraries = [sysconfig.get_path(name) for name in PATHS]
    framework = Path(autograder.__file__).resolve().parents[1]
    found = {sys.prefix, sys.base_prefix, base, str(framework), *libraries}
    everywhere = {*found, *map(os.path.realpath, found)}
    return tuple(sorted(path for path in everywhere if os.path.isdir(path)))
