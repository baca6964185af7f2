"""The simulated Gradescope grades as the real one does, and leaves nothing behind."""

from __future__ import annotations

import json
import threading
import uuid
import zipfile
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from .container import METADATA, Image
from .running import ContainerError, NoMemoryLimit
from .tiny import HEAD, RUN, ask, do, write_zip

pytestmark = pytest.mark.slow
HANDED_OUT = ("source", "submission", "results", "submission_metadata.json", "run_autograder")


@pytest.fixture
def marker() -> str:
    """A word that no other process has in its command line."""
    return f"marked-{uuid.uuid4().hex}"


def runs(marker: str) -> bool:
    """Whether a process with that word is seen from the host."""

    def commands() -> Iterator[bytes]:
        for folder in Path("/proc").glob("[0-9]*"):
            try:
                yield (folder / "cmdline").read_bytes()
            except OSError:
                continue

    return any(marker.encode() in command for command in commands())


def start_marked(marker: str) -> str:
    """Code that leaves a daemon with that word in its command line."""
    return f"""
nowhere = dict.fromkeys(("stdin", "stdout", "stderr"), subprocess.DEVNULL)
daemon = subprocess.Popen(
    ["{marker}", "1000"], executable="/bin/sleep", start_new_session=True, **nowhere
)
"""


def test_a_submission_finds_what_gradescope_puts_there(image):
    """Its files, an empty results/, the metadata, the modes of the zip, and a clean /tmp."""
    code = """
there = {name: os.listdir(name) for name in (".", "submission", "results", "/tmp")}
modes = {name: oct(os.stat("source/" + name).st_mode)[-3:] for name in os.listdir("source")}
answer([os.getcwd(), there, modes, json.loads(open("submission_metadata.json").read())])
"""

    folder, there, modes, told = ask(image, code, metadata={"users": []})

    assert folder == "/autograder"
    assert set(there.pop(".")) == {"venv", *HANDED_OUT}
    assert there == {"submission": ["do.py"], "results": [], "/tmp": []}
    assert modes == {"setup.sh": "600", "run_autograder": "600", "notes": "640", "tool": "755"}
    assert told == {**METADATA, "users": []}


@pytest.mark.parametrize("kind", ["mapping", "folder", "zip", "file"])
def test_a_submission_may_be_given_in_any_form(image, tmp_path, kind):
    """A mapping, a folder, a zip and a single file arrive as files of the same names."""
    code = HEAD + "answer(sorted(map(str, pathlib.Path('submission').rglob('*.py'))))"
    files = {"do.py": code} if kind == "file" else {"do.py": code, "deep/er.py": ""}
    for name, text in files.items():
        (tmp_path / "in" / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / "in" / name).write_text(text)
    with zipfile.ZipFile(tmp_path / "in.zip", "w") as made:
        for name, text in files.items():
            made.writestr(name, text)
    given = {
        "mapping": {name: text.encode() for name, text in files.items()},
        "folder": tmp_path / "in",
        "zip": tmp_path / "in.zip",
        "file": tmp_path / "in/do.py",
    }[kind]

    graded = image.grade(given)

    assert json.loads(graded.results or b"") == [f"submission/{name}" for name in sorted(files)]


def test_submissions_do_not_see_each_other(image):
    """What one changes anywhere in its container is gone for the next, and for the image."""
    code = """
places = "/tmp/x", "/usr/lib/x", "source/x", "submission/x", "/dev/shm/x", "/var/x"
answer([os.path.exists(place) for place in places])
for place in places:
    pathlib.Path(place).touch()
os.unlink("source/notes")
"""

    first, second = ask(image, code), ask(image, code)

    assert first == second == [False] * 6


def test_submissions_may_run_at_the_same_time(image):
    """Two containers that both run neither wait for each other nor share a folder."""
    code = """
pathlib.Path("/tmp/only").touch(exist_ok=False)
answer(os.listdir("/tmp"))
signal.pause()
"""
    both_run = threading.Barrier(2, timeout=60)

    def started(autograder: Path) -> bool:
        return (autograder / "results/results.json").exists() and both_run.wait() >= 0

    with ThreadPoolExecutor(2) as threads:
        graded = [*threads.map(lambda _: do(image, code, kill_when=started), range(2))]

    assert [json.loads(one.results or b"") for one in graded] == [["only"]] * 2


def test_a_daemon_ends_with_its_container(image, marker):
    """What run_autograder leaves running does not outlive it."""
    graded = do(image, start_marked(marker) + "answer(daemon.poll())")

    assert graded.results == b"null"  # it ran when run_autograder ended
    assert not runs(marker)


def test_everything_ends_when_it_is_asked_to(image, marker):
    """A kill in the middle takes all processes, and leaves what was written."""
    code = start_marked(marker) + "answer('half')\nsignal.pause()"
    written = "results/results.json"

    graded = do(image, code, kill_when=lambda top: (top / written).exists() and runs(marker))

    assert (graded.killed, graded.timed_out, graded.status) == (True, False, 137)
    assert graded.results == b'"half"'
    assert not runs(marker)


def test_everything_ends_at_the_time_limit(image, marker):
    """So does a container that would never have ended."""
    graded = do(image, start_marked(marker) + "signal.pause()", seconds=0.5)

    assert (graded.killed, graded.timed_out, graded.status) == (False, True, 137)
    assert not runs(marker)


@pytest.mark.parametrize(
    ("code", "status"),
    [("pass", 0), ("sys.exit(3)", 3), ("os.kill(os.getpid(), signal.SIGTERM)", 143)],
)
def test_the_exit_status_arrives(image, code, status):
    """As a shell says it; with the output, and without results where none were written."""
    graded = do(image, f"print('out', flush=True); print('err', file=sys.stderr)\n{code}")

    assert (graded.status, graded.output, graded.results) == (status, "out\nerr\n", None)


def test_a_link_out_of_the_container_is_not_followed(image):
    """results.json may be anything; only a file of the container's own is read."""
    graded = do(image, "os.symlink('/etc/passwd', 'results/results.json')")

    assert graded.results is None


def test_the_memory_of_all_processes_is_counted(image):
    """A child's memory counts as much as run_autograder's own."""
    code = """
held = b"x" * (64 << 20)
if os.fork():
    os.wait()
held += b"x" * (64 << 20)
answer("held")
signal.pause()
"""
    looks = iter([False] * 3)

    def seen_thrice(autograder: Path) -> bool:
        return (autograder / "results/results.json").exists() and next(looks, True)

    graded = do(image, code, kill_when=seen_thrice)

    assert 192 <= graded.peak_pss_mb < 300


def test_too_much_memory_ends_it(image):
    """With a limit, what takes more is killed, as on Gradescope."""
    try:
        graded = do(image, "held = b'x' * (300 << 20)\nanswer('held')", memory_mb=100)
    except NoMemoryLimit as error:
        pytest.skip(str(error))

    assert (graded.status, graded.results) == (137, None)


@pytest.mark.parametrize(
    ("scripts", "told"),
    [
        ({"setup.sh": "echo because; exit 3", "run_autograder": RUN}, "exit status 3\nbecause"),
        ({"setup.sh": "true"}, "no run_autograder"),
        ({"run_autograder": RUN}, "no setup.sh"),
    ],
)
def test_an_image_that_cannot_be_built_says_why(clean_root, tmp_path, scripts, told):
    """The last lines of setup.sh, or what is missing in the zip, are in the error."""
    archive = write_zip(tmp_path / "broken.zip", {}, scripts)

    with pytest.raises(ContainerError, match=told):
        Image.build(clean_root, archive)


def test_an_image_starts_as_gradescope_leaves_it(image):
    """setup.sh ran once, with a network, and its temporary files are gone."""
    assert "pyseccomp" in image.output
    assert not any((image.root / "tmp").iterdir())
