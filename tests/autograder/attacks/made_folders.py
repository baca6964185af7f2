"""Folders that are no ordinary submission: links, special files, odd encodings, shadows, floods."""

from __future__ import annotations

import os
import socket
from pathlib import Path

from .attack import Attack, Places
from .making import BESIDE, ELSE, EVIL, MISSING, RIGHT, SOFTMAX, made

FOLDERS: list[Attack] = []
RESULT = '{{"schema": 1, "submission": "{}", "score": 100, "max_score": 100, "questions": []}}'
NO_FILE = "is a link or a special file"


def beside(folder: Path, files: dict[str, str]) -> None:
    """A submission of these files, and of one right one beside them."""
    folder.mkdir(parents=True)
    for name, text in {BESIDE: right(BESIDE), **files}.items():
        (folder / name).write_text(text, encoding="utf-8")


def right(name: str) -> str:
    """The text of a right step."""
    return (RIGHT / name).read_text(encoding="utf-8")


@made(FOLDERS, "nothing", f"{SOFTMAX} {NO_FILE}", spoils=MISSING)
def r_link_to_reference(folder: Path, places: Places) -> None:
    """Hands in a link to the reference, by its exact path, as its step."""
    beside(folder, {})
    (folder / SOFTMAX).symlink_to(places.course_folder / "solutions/self_attention" / SOFTMAX)


@made(FOLDERS, "nothing", "found: friend.zip, src, tests", spoils=ELSE)
def r_link_to_folder(folder: Path, places: Places) -> None:
    """Hands in links to the folders of solutions, of graders and of a neighbour."""
    folder.mkdir()
    (folder / "src").symlink_to(places.course_folder / "solutions/self_attention")
    (folder / "tests").symlink_to(places.course_folder / "tests/self_attention")
    (folder / "friend.zip").symlink_to(places.submissions_folder / "a_right")


@made(FOLDERS, "nothing", f"{SOFTMAX} {NO_FILE}", f"step3_scaling.py {NO_FILE}", spoils=ELSE)
def r_links_to_proc(folder: Path, places: Places) -> None:
    """Hands in links to the grading process's own environment, memory, descriptors and results."""
    folder.mkdir()
    (folder / "step1_projections.py").symlink_to("/proc/self/environ")
    (folder / "step2_scores.py").symlink_to("/proc/self/mem")
    (folder / "step3_scaling.py").symlink_to("/proc/self/fd/0")
    (folder / SOFTMAX).symlink_to(places.out_folder / "results/somebody.json")


@made(
    FOLDERS,
    "nothing",
    *(f"{name} {NO_FILE}" for name in ("step1_projections.py", "step2_scores.py", SOFTMAX)),
    "step3_scaling.py is a folder",
    spoils=ELSE,
)
def d_special_files(folder: Path, places: Places) -> None:
    """A pipe, a link to itself, a socket, a device, and a folder, each in the place of a step."""
    folder.mkdir()
    os.mkfifo(folder / "step1_projections.py")
    (folder / "step2_scores.py").symlink_to("step2_scores.py")
    (folder / "step3_scaling.py").mkdir()
    here = os.open(folder, os.O_RDONLY)
    with socket.socket(socket.AF_UNIX) as one:
        one.bind(f"/proc/self/fd/{here}/{SOFTMAX}")
    os.close(here)
    if os.geteuid() == 0:
        os.mknod(folder / "step5_output.py", 0o20666, os.makedev(1, 5))  # /dev/zero


@made(FOLDERS, "nothing", "stand in several folders", spoils=ELSE)
def d_folders_in_a_circle(folder: Path, places: Places) -> None:
    """Folders that lead back to themselves, two sets of files, and two hundred levels."""
    folder.mkdir()
    for name in ("old", "new"):
        beside(folder / name, {})
        (folder / name / "again").symlink_to("..")
    (folder / Path(*["d"] * 200)).mkdir(parents=True)


@made(FOLDERS, "nothing", "no deeper", spoils=ELSE)
def d_deep_folder(folder: Path, places: Places) -> None:
    """Right files below more folders than anybody would open."""
    beside(folder / Path(*["d"] * 100), {SOFTMAX: right(SOFTMAX)})


@made(FOLDERS, "nothing", "more than 2,000 files", spoils=ELSE)
def d_thousands_of_files(folder: Path, places: Places) -> None:
    """Right files among more than are looked at."""
    beside(folder, {f"{number}.py": "" for number in range(2_001)})


@made(FOLDERS, "nothing", f"{SOFTMAX} is larger than 256 KiB", spoils=ELSE)
def d_large_file(folder: Path, places: Places) -> None:
    """A right step with 300 KiB of comment."""
    folder.mkdir()
    (folder / SOFTMAX).write_text(right(SOFTMAX) + "#" * 300 * 1024, encoding="utf-8")


@made(
    FOLDERS,
    "nothing",
    f"{SOFTMAX} holds NUL characters",
    "step3_scaling.py is not UTF-8 text",
    "step2_scores.py was UTF-16; read all the same",
    spoils=["scaling", "self_attention"],
)
def v_odd_encodings(folder: Path, places: Places) -> None:
    """A mark before the text, UTF-16, Latin-1, NUL characters, and another declared encoding."""
    folder.mkdir()
    texts = {path.name: path.read_text(encoding="utf-8") for path in RIGHT.glob("*.py")}
    name = "step1_projections.py"
    (folder / name).write_bytes(b"\xef\xbb\xbf" + texts[name].encode())
    (folder / "step2_scores.py").write_bytes(texts["step2_scores.py"].encode("utf-16"))
    latin = f"{texts['step3_scaling.py']}# caf\xe9\n".encode("latin-1")
    (folder / "step3_scaling.py").write_bytes(latin)
    (folder / SOFTMAX).write_text(f"{texts[SOFTMAX]}\0", encoding="utf-8")
    declared = f"# -*- coding: rot13 -*-\n{texts['step5_output.py']}"
    (folder / "step5_output.py").write_text(declared.replace("\n", "\r"), encoding="utf-8")


@made(FOLDERS, "its step", f"Not used, since {SOFTMAX} is there", spoils=MISSING)
def t_names_in_another_case(folder: Path, places: Places) -> None:
    """Files beside the right ones whose names differ in case, in a number or in an ending."""
    others = ("STEP4_SOFTMAX.PY", "Step4_Softmax.py", "step4_softmax (1).py", f"{SOFTMAX}.txt")
    beside(folder, {SOFTMAX: right(SOFTMAX), **dict.fromkeys(others, EVIL)})


@made(FOLDERS, "its step", "Also found, and left alone: __init__.py", spoils=MISSING)
def t_shadow_files(folder: Path, places: Places) -> None:
    """Files that Python, pytest or otter might take for theirs, and a step that asks for them."""
    own = [
        *("numpy.py", "json.py", "sitecustomize.py", "usercustomize.py", "conftest.py"),
        *("otter.py", "autograder.py", "msgspec.py", "__init__.py", "__main__.py", "test_all.py"),
    ]
    asks = """
for name in ("conftest", "sitecustomize", "usercustomize", "test_all", "step7_more"):
    try:
        module = __import__(name)
    except (ImportError, OSError):
        continue
    if getattr(module, "STUDENTS", False):
        print("GAINED: imported", name)
"""
    run = f"STUDENTS = True\n{EVIL}"
    beside(folder, {SOFTMAX: right(SOFTMAX) + asks, **dict.fromkeys(own, run)})
    (folder / "evil.pth").write_text("import sys; print('GAINED: a path file')\n")
    for name in ("pytest.ini", "tox.ini", "setup.cfg"):
        (folder / name).write_text("[pytest]\naddopts = -p conftest --collect-only\n")
    (folder / "pyproject.toml").write_text("[tool.pytest.ini_options]\naddopts = '-k nothing'\n")
    (folder / "numpy").mkdir()
    (folder / "numpy/__init__.py").write_text(run)
    (folder / "otter_config.json").write_text('{"points_possible": 1000}')


@made(FOLDERS, "nothing", f"{SOFTMAX} is missing", spoils=MISSING)
def t_package_in_place_of_a_file(folder: Path, places: Places) -> None:
    """A package of a step's name in the place of its file, which an import would find."""
    beside(folder, {})
    (folder / "step4_softmax").mkdir()
    (folder / "step4_softmax/__init__.py").write_text(right(SOFTMAX))
    (folder / "__pycache__").mkdir()
    (folder / "__pycache__/step4_softmax.cpython-311.pyc").write_bytes(b"")


@made(FOLDERS, "nothing", spoils=MISSING)
def g_brings_its_own_results(folder: Path, places: Places) -> None:
    """Brings results, a run file, a gradebook and feedback of its own, with full marks."""
    full = RESULT.format("g_brings_its_own_results")
    brought = {
        **dict.fromkeys(["run.json", "results.json", "g_brings_its_own_results.json"], full),
        "grades.csv": "submission,score\ng_brings_its_own_results,100\n",
        "assignment.toml": "[[questions]]\nname = 'softmax'\npoints = 1000\n",
        SOFTMAX: "def softmax(scores):\n    raise NotImplementedError\n",
    }
    beside(folder, brought)
    for inner in ("results", "feedback", ".lock"):
        (folder / inner).mkdir()
        (folder / inner / "g_brings_its_own_results.json").write_text(full)
        (folder / inner / "a_right.json").write_text(RESULT.format("a_right"))
