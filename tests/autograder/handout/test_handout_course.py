"""Every handout of the bundled course: fresh, without leaks, portable."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from autograder.handout import check_handout, portable_problems
from autograder.manifest import find_course

COURSE = find_course(Path(__file__).resolve().parent)
# Refuses every installed package that a student was not asked to install.
ONLY_NUMPY_AND_PYTEST = """
import sys
from importlib.machinery import PathFinder

class Refuses(PathFinder):
    @classmethod
    def find_spec(cls, name, path=None, target=None):
        spec = PathFinder.find_spec(name, path, target)
        allowed = {"numpy", "pytest", "_pytest", "pluggy", "iniconfig", "packaging", "pygments"}
        allowed |= {"exceptiongroup", "tomli", "typing_extensions", "py"}  # pytest's, on 3.10
        installed = spec is not None and "site-packages" in (spec.origin or "")
        if installed and name.partition(".")[0] not in allowed:
            raise ModuleNotFoundError(f"{name} is not installed here", name=name)
        return spec

sys.meta_path[:] = [Refuses if finder is PathFinder else finder for finder in sys.meta_path]
"""


def steps_of(assignment):
    manifest = assignment.manifest
    return [(manifest.step_of(question), question.file) for question in manifest.questions]


def test_the_course_has_assignments():
    """The tests below would pass on nothing."""
    assert COURSE.names()


@pytest.mark.parametrize("name", COURSE.names())
def test_the_handout_is_what_its_solutions_give_and_shows_none_of_them(name):
    """After a change to a solution, `autograder handout` has been run; nothing leaks."""
    assignment = COURSE.assignment(name)

    problems = check_handout(assignment.handout, assignment.solutions, steps_of(assignment))

    assert problems == [], "\n".join(map(str, problems))


@pytest.mark.parametrize("name", COURSE.names())
def test_the_handout_is_portable(name):
    """Students work under Windows, macOS and Linux."""
    assignment = COURSE.assignment(name)

    problems = portable_problems(
        assignment.handout, steps_of(assignment), assignment.manifest.packages
    )

    assert problems == [], "\n".join(map(str, problems))


def test_the_untouched_example_is_the_handout_as_it_is():
    """The bundled class holds what a student hands in who wrote nothing."""
    assignment = COURSE.assignment("self_attention")
    example = assignment.examples / "untouched_stubs"

    for _, file in steps_of(assignment):
        assert (example / file).read_text("utf-8") == (assignment.handout / file).read_text("utf-8")


def test_students_need_nothing_but_numpy_and_pytest(tmp_path):
    """A copy of the handout with the solutions in it passes its public checks, on its own."""
    assignment = COURSE.assignment("self_attention")
    handout = tmp_path / "handout"
    shutil.copytree(assignment.handout, handout)
    for _, file in steps_of(assignment):
        shutil.copy(assignment.solutions / file, handout / file)
    allowed = tmp_path / "allowed"
    allowed.mkdir()
    (allowed / "sitecustomize.py").write_text(ONLY_NUMPY_AND_PYTEST)
    environment = {**os.environ, "PYTHONPATH": str(allowed), "PYTEST_DISABLE_PLUGIN_AUTOLOAD": "1"}

    run = subprocess.run(
        [sys.executable, "-m", "pytest"],
        cwd=handout,
        env=environment,
        capture_output=True,
        text=True,
        check=False,
    )

    assert run.returncode == 0, run.stdout + run.stderr
    assert "passed" in run.stdout
    assert sorted(path.name for path in handout.iterdir() if path.is_dir()) in ([], ["__pycache__"])


@pytest.mark.parametrize("name", COURSE.names())
def test_what_every_handout_has_is_the_same_in_all_of_them(name):
    """The same conftest.py; and of torch's, the framework's own way to tell devices apart."""
    first = COURSE.assignment("self_attention").handout
    assignment = COURSE.assignment(name)
    own = assignment.handout

    for file in ("conftest.py", "pytest.ini"):
        assert (own / file).read_text("utf-8") == (first / file).read_text("utf-8")
    if "torch" in assignment.manifest.packages:
        told = (own / "another_device.py").read_text("utf-8")
        source = COURSE.root / "autograder/worker/devices.py"
        assert told == source.read_text("utf-8")
