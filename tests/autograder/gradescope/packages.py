"""Packages made by the real command line, of a small course and of the bundled one, and the two
ways to grade with one: `otter run`, and what Gradescope starts, without its container."""

from __future__ import annotations

import atexit
import io
import json
import os
import pickle
import re
import shutil
import subprocess
import sys
import tempfile
import zipfile
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

import autograder
from autograder.gradescope import package as packaging
from autograder.handout import write_handout
from autograder.verify import steps_of

if TYPE_CHECKING:
    import pytest

    from ..conftest import DemoCourse

ROOT = Path(__file__).resolve().parents[3]
EXAMPLES = ROOT / "tests/self_attention/examples"
WHEEL = f"wheels/attention_autograder-{autograder.__version__}-py3-none-any.whl"
OTTER = Path(sys.executable).with_name("otter")
SECONDS = 300  # a test that hangs ends by then
METADATA: dict[str, Any] = {
    "id": 123456789,
    "created_at": "2026-10-01T12:00:00.000000-07:00",
    "assignment": {
        "due_date": "2026-10-02T23:59:00.000000-07:00",
        "late_due_date": None,
        "release_date": "2026-09-20T00:00:00.000000-07:00",
        "group_size": None,
        "group_submission": False,
        "id": 4321,
        "course_id": 1234,
        "title": "Two steps",
        "total_points": "100.0",
    },
    "submission_method": "upload",
    "users": [{"email": "student@example.com", "id": 1, "name": "A Student"}],
    "previous_submissions": [],
}
SOLUTIONS = {
    "solutions/demo/step1_double.py": "    return 2 * x\n",
    "solutions/demo/step2_total.py": "    return np.sum(double(x), axis=-1)\n",
}
LEFT_OVER = """.DS_Store ._step1_double.py Thumbs.db desktop.ini __MACOSX/x .hypothesis/x
.ipynb_checkpoints/x.ipynb __pycache__/x.pyc .pytest_cache/x .mypy_cache/x .ruff_cache/x
old.pyc .test_double.py.swp test_double.py~ deeper/.DS_Store
.env .env.local deeper/.env .envrc .vscode/settings.json .idea/workspace.xml .venv/pyvenv.cfg
.venv/lib/x.py venv/bin/x.py .git deeper/.git/HEAD .python_history .coverage .tox/x"""
DOUBLE = "def double(x):\n    return 2 * x\n"
TOTAL = "from step1_double import double\n\n\ndef total(x):\n    return double(x)[..., 0]\n"
STEPS = {"step1_double.py": DOUBLE, "step2_total.py": TOTAL}
SCORES = {"double": 40.0, "total": 0.0}  # of STEPS


def packable(course: DemoCourse) -> DemoCourse:
    """The small course with solution markers and the stubs cut at them: nothing is left to say."""
    for name, line in SOLUTIONS.items():
        marked = f"    # BEGIN SOLUTION\n{line}    # END SOLUTION\n"
        course.write(name, (course.root / name).read_text().replace(line, marked))
    assignment = course.assignment
    write_handout(assignment.handout, assignment.solutions, steps_of(assignment))
    return course


def prove_nothing(monkeypatch: pytest.MonkeyPatch, *problems: str) -> None:
    """Take the proof as done, with these problems: it has tests of its own, and takes seconds."""
    monkeypatch.setattr(packaging, "prove", lambda assignment: list(problems))


def packaged(course: DemoCourse, *options: object) -> Path:
    """The small course's zip for Gradescope, as the command line makes it."""
    run = course.autograder("package", "demo", *options)
    assert run.returncode == 0, run.stderr
    return course.root / "dist/demo-autograder.zip"


@cache
def bundled() -> Path:
    """The folder with the bundled assignment's two zips; made once for all tests."""
    folder = Path(tempfile.mkdtemp(prefix="bundled-"))
    atexit.register(shutil.rmtree, folder, ignore_errors=True)
    command = [sys.executable, "-m", "autograder", "package", "self_attention", "--out", folder]
    run = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    assert run.returncode == 0, run.stderr
    return folder


def members(path: Path) -> dict[str, bytes]:
    """A zip's files by name."""
    with zipfile.ZipFile(path) as archive:
        assert len(set(archive.namelist())) == len(archive.namelist())
        return {name: archive.read(name) for name in archive.namelist()}


def required(text: str) -> dict[str, list[str]]:
    """Each requirement of a requirements.txt and its hashes."""
    lines = re.sub(r"\s*\\\n\s*", " ", re.sub(r"^#.*\n", "", text, flags=re.M)).splitlines()
    found = [line.partition(" --hash=") for line in lines]
    return {name: hashes.split(" --hash=") for name, _, hashes in found}


def zip_of(files: Mapping[str, str | bytes]) -> bytes:
    """A zip as a student's computer makes it."""
    made = io.BytesIO()
    with zipfile.ZipFile(made, "w") as archive:
        for name, content in files.items():
            archive.writestr(name, content)
    return made.getvalue()


def files_in(folder: Path) -> dict[str, bytes]:
    """A folder's files by their paths in it."""
    paths = sorted(path for path in folder.rglob("*") if path.is_file())
    return {path.relative_to(folder).as_posix(): path.read_bytes() for path in paths}


class _Runs:
    """Opened as a pickle, it leaves a mark."""

    def __init__(self, mark: Path) -> None:
        self._mark = mark

    def __reduce__(self) -> tuple[object, tuple[str]]:
        return Path.touch, (self._mark,)


def hostile(marks: Path) -> dict[str, str | bytes]:
    """The steps among files that have the names of otter-grader's, of Python's and of ours; those
    that hold code leave a mark in a folder when anybody runs them."""
    telltale = f"from pathlib import Path\n\nPath({str(marks)!r}, __name__).touch()\n"
    passes = (
        f"{telltale}OK_FORMAT = False\nname = 'total'\npoints = 60\n\n"
        "from otter.test_files import test_case\n\n\n@test_case()\ndef test_all():\n    pass\n"
    )
    cell = f'{{"cell_type": "code", "metadata": {{}}, "outputs": [], "source": {telltale!r}}}'
    modules = """otter numpy conftest sitecustomize usercustomize autograder msgspec nbformat
    ipykernel_launcher IPython ipython_config ipython_kernel_config jupyter_config json"""
    return {
        **STEPS,
        **{f"{name}.py": telltale for name in modules.split()},
        "tests/01_double.py": passes,
        "tests/02_total.py": passes,
        "tests/03_mine.py": passes,
        "attention_autograder.ipynb": f'{{"cells": [{cell}], "nbformat": 4, "nbformat_minor": 5}}',
        "autograder/__init__.py": telltale,
        "otter/__init__.py": telltale,
        "files/attention_autograder.ipynb": "{}",
        "source/otter_config.json": '{"points_possible": 1000}',
        "graded/results/submission.json": '{"score": 100}',
        "handed_in/submission/step2_total.py": DOUBLE,
        "results/results.json": '{"score": 100}',
        "results.json": '{"score": 100, "tests": []}',
        "results.pkl": pickle.dumps(_Runs(marks / "results.pkl")),
        ".OTTER_LOG": pickle.dumps(_Runs(marks / "log")),
        "otter_config.json": '{"score_threshold": 0}',
        "submission_metadata.json": "no metadata",
    }


@dataclass(frozen=True)
class Graded:
    """How a grading program ended, what it printed, and the results.json that it left."""

    status: int
    output: str
    report: dict[str, Any] | None

    @property
    def scores(self) -> dict[str, float]:
        """Points by the name of otter-grader's row: a question each."""
        assert self.report is not None, self.output
        return {row["name"]: row["score"] for row in self.report["tests"] if "score" in row}

    @property
    def rows(self) -> list[dict[str, Any]]:
        """The rows of the report."""
        assert self.report is not None, self.output
        return self.report["tests"]


def otter_run(package: Path, submission: Path, out: Path) -> Graded:
    """`otter run`, as an instructor types it."""
    out.mkdir()
    command = [OTTER, "run", submission, "-a", package, "-o", out]
    return _graded([str(word) for word in command], out, out / "results.json")


def lay_out(
    package: Path, files: Mapping[str, str | bytes], root: Path, metadata: Mapping[str, Any]
) -> Path:
    """A folder as Gradescope makes it: `source`, `submission`, `results` and the metadata."""
    for name in ("source", "submission", "results"):
        (root / name).mkdir(parents=True)
    with zipfile.ZipFile(package) as archive:
        archive.extractall(root / "source")
    for name, content in files.items():
        path = root / "submission" / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content.encode() if isinstance(content, str) else content)
    (root / "submission_metadata.json").write_text(json.dumps(metadata))
    return root


def grading_command(root: Path, python: str = sys.executable) -> list[str]:
    """What run_autograder starts, for a folder that is laid out."""
    return [python, "-I", "-m", "autograder", "gradescope", str(root)]


def grade_laid_out(root: Path, python: str = sys.executable) -> Graded:
    """Grade the submission in a folder that is laid out."""
    return _graded(grading_command(root, python), root, root / "results/results.json")


def _graded(command: list[str], cwd: Path, results: Path) -> Graded:
    run = subprocess.run(
        command,
        cwd=cwd,
        env={**os.environ, "PYTHONWARNINGS": "ignore"},
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        timeout=SECONDS,
        check=False,
    )
    report = json.loads(results.read_bytes()) if results.exists() else None
    return Graded(run.returncode, run.stdout, report)
