"""The framework's wheel in the zip, and the requirements that install it."""

from __future__ import annotations

import base64
import csv
import hashlib
import importlib.metadata
import io
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

import autograder
from autograder.errors import CourseError
from autograder.gradescope.framework import framework_wheel

from .packages import LEFT_OVER, ROOT, WHEEL, bundled, files_in, members, required


@pytest.fixture(scope="module")
def inside() -> dict[str, bytes]:
    """The bundled assignment's zip for Gradescope, by member."""
    return members(bundled() / "self_attention-autograder.zip")


def wheel_in(folder: Path, inside: dict[str, bytes]) -> Path:
    """The wheel of a zip, as a file."""
    path = folder / Path(WHEEL).name
    path.write_bytes(inside[WHEEL])
    return path


def test_pip_installs_the_wheel(inside, tmp_path):
    """Every file of the framework, its entry points, and a program that starts from there."""
    target = tmp_path / "target"
    pip = [sys.executable, "-m", "pip", "install", "--no-deps", "--no-index", "--no-compile"]
    words = ["--disable-pip-version-check", "--target", target, wheel_in(tmp_path, inside)]
    run = subprocess.run([*pip, *words], capture_output=True, text=True, check=False)
    assert run.returncode == 0, run.stderr

    source = Path(autograder.__file__).parent
    kept = {name: data for name, data in files_in(source).items() if "__pycache__" not in name}
    assert files_in(target / "autograder") == kept
    assert {"gradescope/locked/grading.txt", "gradescope/templates/setup.sh.jinja"} <= kept.keys()
    (installed,) = importlib.metadata.distributions(name="attention-autograder", path=[str(target)])
    points = {(one.group, one.name): one.value for one in installed.entry_points}
    assert points == {
        ("console_scripts", "autograder"): "autograder.cli:main",
        ("pytest11", "autograder"): "autograder.grading.plugin",
    }
    code = "import autograder; print(autograder.__file__); from autograder.cli import main; main()"
    started = subprocess.run(
        [sys.executable, "-c", code, "--version"],
        cwd=tmp_path,
        env={**os.environ, "PYTHONPATH": str(target)},
        capture_output=True,
        text=True,
        check=False,
    )
    assert started.stdout.split("\n")[0] == str(target / "autograder/__init__.py")
    assert started.stdout.split("\n")[1] == f"attention-autograder {autograder.__version__}"


def test_the_wheels_record_is_right(inside, tmp_path):
    """Each member's hash and size, and every member: an installer may believe it."""
    wheel = members(wheel_in(tmp_path, inside))
    (record,) = [name for name in wheel if name.endswith(".dist-info/RECORD")]

    rows = {name: rest for name, *rest in csv.reader(io.StringIO(wheel[record].decode()))}

    assert rows.keys() == wheel.keys()
    assert rows.pop(record) == ["", ""]
    for name, (digest, size) in rows.items():
        raw = base64.urlsafe_b64encode(hashlib.sha256(wheel[name]).digest()).rstrip(b"=")
        assert (digest, size) == (f"sha256={raw.decode()}", str(len(wheel[name])))


def test_a_framework_that_is_not_installed_is_said(monkeypatch):
    """With what to type."""
    monkeypatch.setattr("autograder.gradescope.framework.DISTRIBUTION", "not-installed-here")

    with pytest.raises(CourseError, match=r"pip install 'not-installed-here\[otter\]'"):
        framework_wheel()


def test_every_requirement_is_pinned_and_hashed(inside):
    """The framework's wheel by the hash of the very file in the zip."""
    requirements = required(inside["requirements.txt"].decode())

    assert requirements.pop(f"./{WHEEL}") == [f"sha256:{hashlib.sha256(inside[WHEEL]).hexdigest()}"]
    assert len(requirements) > 50
    for name, hashes in requirements.items():
        assert re.match(r"[a-z0-9][a-z0-9.-]*==[^\s;]+(; |$)", name), name
        assert all(re.fullmatch(r"sha256:[0-9a-f]{64}", one) for one in hashes), name
    names = {name.partition("==")[0] for name in requirements}
    assert {"numpy", "pytest", "msgspec", "otter-grader", "pyseccomp"} <= names
    assert "torch" not in names


def test_what_systems_and_tools_leave_behind_is_not_in_the_wheel(tmp_path, monkeypatch):
    """An editor that was open on the framework's own files changes nothing."""
    _, before = framework_wheel()
    copy = tmp_path / "autograder"
    shutil.copytree(Path(autograder.__file__).parent, copy)
    for name in LEFT_OVER.split():
        path = copy / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text("left over")
    monkeypatch.setattr(autograder, "__file__", str(copy / "__init__.py"))

    assert framework_wheel()[1] == before


def test_nothing_of_the_machine_that_packaged_it_is_in_it(inside, tmp_path):
    """The zip is the same whoever made it."""
    everything = {**inside, **members(wheel_in(tmp_path, inside))}

    for place in (ROOT, sys.prefix):
        assert [name for name, data in everything.items() if str(place).encode() in data] == []
