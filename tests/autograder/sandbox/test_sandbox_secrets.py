"""The secret stands in a file anybody may read and in the grading process's memory; nothing that a
worker gets hold of, and so nothing that it sends, has it in it."""

from __future__ import annotations

import json
import os
import platform
import re
import subprocess
import sys
import venv
from collections.abc import Iterator
from pathlib import Path

import pytest

import autograder
from autograder.sandbox import secrets_private
from autograder.sandbox.libraries import open_to_others
from autograder.sandbox.promise import LANDLOCK, SECCOMP, has_layer

READING = """
import ctypes, gc, os, socket, struct, sys
libc = ctypes.CDLL(None, use_errno=True)
FOUND = []

def look(*ways):
    for way in ways:
        try:
            FOUND.append(str(way()))
        except BaseException as error:
            FOUND.append(f"{type(error).__name__} {error}")

def slurp(path):
    with open(path, "rb") as file:
        return file.read(100_000)

def files(hidden):
    folder = os.path.dirname(hidden)
    for path in (hidden, "/proc/self/root" + hidden, "/proc/1/root" + hidden, "//" + hidden):
        look(lambda: slurp(path), lambda: os.read(os.open(path, os.O_RDONLY | os.O_NOATIME), 999))
        look(lambda: libc.syscall(NUMBER["openat2"], -100, path.encode(), bytes(24), 24))
    look(lambda: os.listdir(folder), lambda: list(os.scandir(folder)))
    look(lambda: os.chdir(folder), lambda: slurp(os.path.basename(hidden)))
    look(lambda: os.chroot(folder), lambda: slurp("/test_hidden.py"))
    look(lambda: os.link(hidden, "/tmp/linked"), lambda: os.symlink(hidden, "/tmp/linked"))
    look(lambda: __import__("subprocess").check_output(["/bin/cat", hidden]))
    look(lambda: os.popen(f"cat {hidden}").read(), lambda: os.execv("/bin/cat", ["cat", hidden]))
    look(lambda: os.posix_spawn("/bin/cat", [hidden], {}), lambda: os.memfd_create("copy"))
    look(lambda: sys.path.insert(0, folder), lambda: __import__("test_hidden"))

def descriptors(hidden):
    for fd in range(64):
        look(lambda: os.fstat(fd) and os.pread(fd, 999, 0))
        for up in range(12):
            for name in (hidden.lstrip("/"), "tests/test_hidden.py", "course/tests/test_hidden.py"):
                look(lambda: os.read(os.open("../" * up + name, os.O_RDONLY, dir_fd=fd), 999))

def processes(pids):
    for pid in (*pids, "self", 1):
        for name in ("environ", "cmdline", "maps", "mem", "auxv", "stack", "cwd/x", "exe"):
            look(lambda: slurp(f"/proc/{pid}/{name}"))
        look(lambda: [slurp(f"/proc/{pid}/fd/{fd}") for fd in os.listdir(f"/proc/{pid}/fd")])
    for pid in pids:
        buffer = ctypes.create_string_buffer(4096)
        here = struct.pack("QQ", ctypes.addressof(buffer), 4096)
        there = struct.pack("QQ", id(sys), 4096)
        assert libc.process_vm_readv(pid, here, 1, there, 1, 0) <= 0
        assert libc.ptrace(16, pid, 0, 0) == -1
        assert libc.ptrace(0x4206, pid, 0, 0) == -1
        look(lambda: buffer.raw)

def memory(_):
    frame = sys._getframe()
    while frame:
        look(lambda: frame.f_locals)
        frame = frame.f_back
    for one in gc.get_objects():
        if isinstance(one, dict):
            texts = [value for value in list(one.values()) if isinstance(value, (str, bytes))]
            FOUND.extend(str(text)[:200] for text in texts)
    FOUND.append(str([os.environ, sys.argv, sys.path, sys.orig_argv]))

def attack(part, argument):
    globals()[part](argument)
    FOUND.sort()
    return [str(one)[:1000] for one in FOUND][:19_000]
""".replace("NUMBER", "{'openat2': 437}")


@pytest.mark.parametrize("part", ["files", "descriptors", "processes", "memory"])
def test_a_worker_that_searches_finds_nothing(sandbox, student, course, part):
    """By name, by descriptor, in other processes and in its own memory."""
    worker = student(sandbox, READING)
    hidden = str(course.hidden)
    held = course.secret.encode()  # here, in the grading process
    argument = [os.getpid(), os.getppid()] if part == "processes" else hidden

    found = worker("attack", part, argument)

    assert len(found) > 10
    assert held.decode() not in str(found)
    assert not Path("/tmp/linked").exists()


def test_what_it_prints_and_raises_holds_nothing_either(sandbox, student, course):
    """Whatever way out it takes, there is nothing that it could take along."""
    worker = student(
        sandbox, READING + "\ndef f(x): print(attack('files', x)); raise OSError(FOUND)"
    )

    with pytest.raises(Exception, match="OSError") as raised:
        worker("f", str(course.hidden))

    assert course.secret not in f"{raised.value} {raised.value.output} {raised.value.where}"


def test_neither_the_base_process_nor_a_worker_has_the_secret_in_memory(
    opened, student, course, monkeypatch
):
    """Seen from outside, in all that it could have written."""
    monkeypatch.setenv("COURSE_SECRET", course.secret)
    sandbox = opened(secrets_private=True)
    worker = student(sandbox, "import os\ndef parent(): return os.getppid()")

    for pid in (worker.pid, worker("parent")):
        try:
            pages = list(writable_pages(pid))
        except PermissionError:
            continue  # shut even against this process
        assert sum(map(len, pages)) > 1 << 20
        assert not any(course.secret.encode() in page for page in pages)


def writable_pages(pid: int) -> Iterator[bytes]:
    """All that a process could have written something into."""
    with open(f"/proc/{pid}/maps", encoding="ascii") as maps, open(f"/proc/{pid}/mem", "rb") as mem:
        for start, end in re.findall(r"^(\w+)-(\w+) rw", maps.read(), re.MULTILINE):
            mem.seek(int(start, 16))
            yield mem.read(int(end, 16) - int(start, 16))


@pytest.fixture
def python_in_the_course(closed_course, monkeypatch):
    """The course's own virtual environment, beside its tests, as `make` sets it up."""
    environment = closed_course.folder / ".venv"
    venv.create(environment, with_pip=False, symlinks=True)
    (packages,) = environment.glob("lib/python*/site-packages")
    outside = [path for path in sys.path if path.endswith("-packages")]
    framework = str(Path(autograder.__file__).parents[1])
    (packages / "outside.pth").write_text("\n".join([*outside, framework]))
    (packages / "installed_late.py").write_text("value = 1\n")
    monkeypatch.setattr(sys, "executable", str(environment / "bin" / "python"))
    return closed_course


LATE = """
def late():
    import xml.dom.minidom, installed_late
    return xml.dom.minidom.parseString("<a/>").toxml()[-4:], installed_late.value
"""


SEARCH = """
import json, sys
from pathlib import Path
from autograder import wire
from autograder.sandbox import *
source, hidden, *without = sys.argv[1:]
private = secrets_private([Path(hidden)])
sandbox = open_sandbox(Settings(without=tuple(without), secrets_private=private))
worker = sandbox.spawn(WorkerLimits(memory_mb=256, cpu_seconds=5))
worker.load({"step": source}, "step", 5)
answer = worker.call("step", "attack", ["descriptors", hidden], {}, wire.Deadline.after(5))
sandbox.close()
print(json.dumps([private, sandbox.confinement.promise, str(answer.value)]))
"""


@pytest.mark.parametrize("without", [(), (LANDLOCK,), (LANDLOCK, SECCOMP)])
def test_no_library_folder_leads_to_the_course_beside_it(python_in_the_course, without):
    """Above a library's descriptor, `..` leads past the closed folder that hides the course."""
    hidden = str(python_in_the_course.hidden)
    command = [sys.executable, "-c", SEARCH, READING, hidden, *without]

    said = subprocess.run(command, capture_output=True, text=True, check=True, timeout=60).stdout

    private, promise, found = json.loads(said)
    assert not private
    assert python_in_the_course.secret not in found or promise == "weak"
    if os.geteuid() == 0 and len(without) == 2:
        assert python_in_the_course.secret in found, "the search is blind"


def test_a_course_in_another_home_than_the_interpreter_is_private(closed_course, tmp_path):
    """What is closed is closed, as long as no library lies in the same closed folder."""
    assert secrets_private([closed_course.folder])
    assert not secrets_private([Path(os.__file__).parent])
    closed_course.folder.parent.chmod(0o711)
    tmp_path.chmod(0o700)
    assert secrets_private([closed_course.folder]) == (not open_to_others(tmp_path))


def test_libraries_in_a_closed_folder_can_be_imported_late(opened, student, python_in_the_course):
    """An interpreter or an environment in a home of mode 0700 serves workers of any uid."""
    sandbox = opened()
    worker = student(sandbox, LATE)

    if has_layer(sandbox.confinement.layers, LANDLOCK):
        assert worker("late") == ("<a/>", 1)


def test_a_spawned_worker_imports_late_too(spawning, student):
    """It keeps its own uid, so it needs no descriptor for it."""
    source = (
        "def late():\n    import xml.dom.minidom as m\n    return m.parseString('<a/>').toxml()"
    )

    if has_layer(spawning.confinement.layers, LANDLOCK):
        assert student(spawning, source)("late").startswith("<?xml")


def test_no_terminal_can_be_reached(mode, student):
    """Typing into the instructor's terminal would run a command as the instructor."""
    sandbox = mode(LANDLOCK, private=True)
    worker = student(
        sandbox, "def f():\n    try: open('/dev/tty')\n    except OSError: return 'no'"
    )

    assert os.getsid(worker.pid) != os.getsid(0)
    assert worker("f") == "no"


MODULES = """
import sys
def names(): return sorted(sys.modules)
def files(): return sorted({str(getattr(m, "__file__", "")) for m in list(sys.modules.values())})
"""


def test_a_worker_has_no_module_of_ours_but_its_own(sandbox, student):
    """No grader, no reference, no pytest: it was forked from a process that never had one."""
    worker = student(sandbox, MODULES)
    ours = {name for name in worker("names") if name.split(".")[0] == "autograder"}
    root = Path(autograder.__file__).parents[1]
    foreign = {str(root / folder) for folder in ("tests", "solutions", "assignments")}

    assert ours <= {
        "autograder",
        "autograder.errors",
        *(name for name in ours if re.match(r"autograder\.(wire|worker|sandbox)\b", name)),
    }
    assert not {"pytest", "_pytest", "hypothesis"} & set(worker("names"))
    assert not [path for path in worker("files") for folder in foreign if path.startswith(folder)]


def test_nothing_of_a_student_is_imported_here(sandbox, student):
    """Loading and calling leaves no trace among this process's modules."""
    before = set(sys.modules)
    worker = student(sandbox, "import os\nclass Mine: pass\ndef f(): return Mine()")

    worker("f")

    assert not {name for name in set(sys.modules) - before if not name.startswith("encodings")}
    assert "step" not in sys.modules


@pytest.mark.skipif(platform.machine() != "x86_64", reason="machine code of one processor")
@pytest.mark.parametrize("code", ["b814000000cd80c3", "b8270000400f05c3"], ids=["i386", "x32"])
def test_no_other_set_of_system_calls_can_be_used(sandbox, student, code):
    """A filter that knows one numbering of the calls must not let another one in."""
    source = f"""
import ctypes
def f():
    libc = ctypes.CDLL(None)
    libc.mmap.restype, libc.mmap.argtypes = ctypes.c_void_p, [ctypes.c_long] * 6
    page = libc.mmap(0, 4096, 7, 0x22, -1, 0)  # readable, writable, executable
    ctypes.memmove(page, bytes.fromhex("{code}"), {len(code) // 2})
    return ctypes.CFUNCTYPE(ctypes.c_long)(page)()
"""
    if not has_layer(sandbox.confinement.layers, SECCOMP):
        return

    with pytest.raises(Exception, match="SIGSYS"):
        student(sandbox, source)("f")
