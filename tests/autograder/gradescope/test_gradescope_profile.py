"""Root in the simulated container may do what root may do in Docker's, and sees no more."""

from __future__ import annotations

import ctypes
import json
import os

import pytest

from .container import ENVIRONMENT, HOSTNAME, Image
from .tiny import ask, do

pytestmark = pytest.mark.slow

DOCKERS = 0xA80425FB  # what /proc shows of a process in a container of Docker's
STATUS = """
lines = pathlib.Path("/proc/self/status").read_text().splitlines()
answer(dict(line.split(":\\t", 1) for line in lines if ":\\t" in line))
"""
NEW_USER, NEW_MOUNTS, NEW_PROCESSES, CHILD = 0x10000000, 0x20000, 0x20000000, 17
CALLS: list[tuple[str, tuple[int | bytes, ...], str]] = [
    ("unshare", (NEW_USER,), "EPERM"),
    ("unshare", (NEW_MOUNTS,), "EPERM"),
    ("clone", (NEW_USER | CHILD, 0), "EPERM"),
    ("clone", (NEW_PROCESSES | CHILD, 0), "EPERM"),
    ("clone3", (0, 0), "ENOSYS"),
    ("setns", (0, 0), "EPERM"),
    ("mount", (b"none", b"/tmp", b"tmpfs", 0, 0), "EPERM"),
    ("umount2", (b"/proc", 0), "EPERM"),
    ("pivot_root", (b".", b"."), "EPERM"),
    ("open_by_handle_at", (0, 0, 0), "EPERM"),
    ("bpf", (0, 0, 0), "EPERM"),
    ("keyctl", (0, 0, 0), "EPERM"),
    ("perf_event_open", (0, 0, 0, 0, 0), "EPERM"),
    ("init_module", (0, 0, 0), "EPERM"),
    ("socket", (40, 1, 0), "EPERM"),
    ("personality", (0x40000,), "EPERM"),
    ("", (), "ENOSYS"),  # younger than the list
    ("personality", (0xFFFFFFFF,), "works"),
    ("socket", (2, 1, 0), "works"),
    ("ptrace", (0, 0, 0, 0), "works"),
    ("chroot", (b"/",), "works"),
    ("pidfd_open", (1, 0), "works"),
]
NAMES = [f"{name or 'younger'}({', '.join(map(str, arguments))})" for name, arguments, _ in CALLS]


@pytest.fixture(scope="module")
def status(image: Image) -> dict[str, str]:
    """The kernel's page about run_autograder."""
    answered: dict[str, str] = ask(image, STATUS)
    return answered


@pytest.fixture(scope="module")
def calls(image: Image) -> dict[str, str]:
    """What became of each of CALLS, each made by a process of its own."""
    code = f"""
def alone(name, *arguments):
    asked, told = os.pipe()
    if os.fork() == 0:
        os.write(told, call(name, *arguments).encode())
        os._exit(0)
    os.close(told)
    return os.read(asked, 100).decode()
answer([alone(name, *arguments) for name, arguments, _ in {CALLS!r}])
"""
    return dict(zip(NAMES, ask(image, code), strict=True))


def test_root_has_the_fourteen_capabilities_and_no_more(status):
    """No process in the container can have another one, by no way."""
    names = ("CapPrm", "CapEff", "CapBnd", "CapInh", "CapAmb")

    assert [int(status[name], 16) for name in names] == [DOCKERS, DOCKERS, DOCKERS, 0, 0]


def test_the_filter_is_on_and_set_uid_programs_still_work(status):
    """Docker filters system calls without no_new_privs."""
    assert (status["Seccomp"], status["NoNewPrivs"]) == ("2", "0")


@pytest.mark.parametrize("name", NAMES)
def test_a_system_call_is_answered_as_docker_answers_it(calls, name):
    """Namespaces, mounts and what needs the host are refused; ordinary calls are not."""
    assert calls[name] == CALLS[NAMES.index(name)][2]


@pytest.mark.parametrize("landlock", [True, False])
def test_landlock_is_there_unless_asked_otherwise(image, landlock):
    """A kernel without Landlock can be imitated on one that has it."""
    if ctypes.CDLL(None).syscall(444, 0, 0, 1) < 0:
        pytest.skip("this kernel has no Landlock")
    asked = [("create_ruleset", 0, 0, 1), ("add_rule", -1, 0, 0, 0), ("restrict_self", -1, 0)]
    no_new_privs = "LIBC.prctl(38, 1, 0, 0, 0)"
    calls = f"answer([call('landlock_' + name, *words) for name, *words in {asked}])"

    answered = ask(image, f"{no_new_privs}\n{calls}", landlock=landlock)

    assert answered == (["works", "EBADF", "EBADF"] if landlock else ["ENOSYS"] * 3)


def test_a_process_can_still_confine_itself(image):
    """Root may take another uid, and load a filter with and without no_new_privs."""
    code = """
rules = pyseccomp.SyscallFilter(pyseccomp.ALLOW)
rules.add_rule(pyseccomp.ERRNO(errno.EROFS), "mkdir")
os.setgroups([])
os.setresgid(61001, 61001, 61001)
os.setresuid(61001, 61001, 61001)
rules.load()
answer_to = os.getuid(), os.getgid(), refused(os.setuid, 0), refused(os.mkdir, "/tmp/new")
print(json.dumps(answer_to))
"""

    assert json.loads(do(image, code).output) == [61001, 61001, "EPERM", "EROFS"]


def test_nothing_of_the_host_is_seen(image, tmp_path):
    """No file, process, descriptor or variable; not even through the old way out of a chroot."""
    (tmp_path / "marker").touch()
    code = f"""
marker = {str(tmp_path / "marker")!r}
seen = [os.path.exists(marker)]
own = [os.readlink(f"/proc/self/fd/{{n}}").partition(":")[0] for n in range(3)]
environment = pathlib.Path("/proc/self/environ").read_text()
processes = sorted(name for name in os.listdir("/proc") if name.isdigit())
answer_to = open("results/results.json", "w")
os.mkdir("/tmp/deeper")
top = os.open("/", os.O_RDONLY)
os.chroot("/tmp/deeper")
os.fchdir(top)
for _ in range(64):
    os.chdir("..")
os.chroot(".")
seen.append(os.path.exists(marker))
print(json.dumps([seen, own, environment, processes]), file=answer_to)
"""

    seen, own, environment, processes = ask(image, code)

    assert seen == [False, False]
    assert own == ["/dev/null", "pipe", "pipe"]
    names = {variable.partition("=")[0] for variable in environment.split("\0")}
    assert names == {"", "PWD", *ENVIRONMENT}  # the shell of run_autograder sets PWD
    assert processes == ["1", "2"]


def test_the_first_process_shows_nothing_of_the_host(image, tmp_path):
    """It is a program of the host's, with the host's variables: root in here cannot look in."""
    code = """
looks = [refused(os.readlink, f"/proc/1/{name}") for name in ("exe", "cwd", "root", "fd/0")]
looks += [refused(open, f"/proc/1/{name}") for name in ("environ", "maps", "mem")]
words = pathlib.Path("/proc/1/cmdline").read_bytes().split(b"\\0")
answer([looks, [word.decode() for word in words]])
"""

    looks, words = ask(image, code)

    assert looks == ["EACCES"] * len(looks)
    assert str(tmp_path.parent) not in " ".join(words)


def test_the_host_is_not_written_to(image):
    """A device node made in the container opens nothing, and no setting of the kernel changes."""
    device = os.stat("/").st_dev
    code = f"""
for place in ("/tmp/disk", "/dev/disk"):
    os.mknod(place, 0o600 | 0o060000, {device})
places = "/tmp/disk", "/dev/disk", "/proc/sys/kernel/core_pattern", "/dev/null"
answer([*(refused(open, place, "r+b") for place in places), refused(os.mkdir, "/sys/new")])
"""

    assert ask(image, code) == ["EACCES", "EACCES", "EROFS", "works", "EROFS"]


def test_there_is_a_loopback_and_no_other_network(image):
    """A notebook's kernel is spoken to over 127.0.0.1; an address outside is not reached."""
    code = """
with socket.create_server(("127.0.0.1", 0)) as server:
    near = refused(lambda: socket.create_connection(server.getsockname()).close())
answer([near, refused(socket.create_connection, ("192.0.2.1", 80)), socket.gethostname()])
"""

    assert ask(image, code) == ["works", "ENETUNREACH", HOSTNAME]
