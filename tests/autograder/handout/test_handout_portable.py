"""A handout works under Windows, macOS and Linux, with every Python that is supported."""

from __future__ import annotations

import pytest

from autograder.handout import portable_problems


def found(sample, packages=("numpy",)):
    return portable_problems(sample.handout, sample.files, packages)


def in_python(sample, text, name="test_public.py"):
    path = sample.handout / name
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, encoding="utf-8")
    return found(sample)


def test_an_ordinary_handout_is_portable(sample):
    """Steps, helpers beside them, pytest, the packages and the common library are all there."""
    text = '''"""Run `pytest`; see https://example.org/home/page and x / root."""
from __future__ import annotations
import importlib.util, json, sys
from pathlib import Path
import numpy.linalg
import pytest
from step1_scaling import scale_scores
from data import table
import helpers
LATEX, ESCAPED, RATIO, NAME = r"\\\\frac{a}{b}", "note:\\n", "a/tmpfile", "data/weights.npy"
'''
    (sample.handout / "data").mkdir()
    (sample.handout / "data" / "table.py").write_text("", "utf-8")
    (sample.handout / "helpers.py").write_text("", "utf-8")

    assert in_python(sample, text) == []


@pytest.mark.parametrize("module", ["fcntl", "resource", "winreg", "msvcrt", "curses", "_winapi"])
def test_a_module_of_one_platform_is_a_problem(sample, module):
    """It imports on the author's machine only; also inside a function."""
    (problem,) = in_python(sample, f"def f():\n    import {module}\n")

    assert problem.where.endswith("test_public.py:2")
    assert f"imports `{module}`, which not every platform" in problem.what


@pytest.mark.parametrize("module", ["tomllib", "imp", "distutils.util"])
def test_a_module_of_some_pythons_is_a_problem(sample, module):
    """Students have any Python from 3.10 to 3.13."""
    (problem,) = in_python(sample, f"from {module} import x\n")

    assert "not every Python" in problem.what


def test_a_package_that_the_assignment_does_not_name_is_a_problem(sample):
    """torch in a NumPy assignment, scipy anywhere: students may not have it."""
    text = "import torch.nn as nn\n"

    (problem,) = in_python(sample, text)

    assert "`torch`" in problem.what
    assert found(sample, packages=("numpy", "torch")) == []


@pytest.mark.parametrize(
    ("name", "problems"),
    [("experiment.py", 0), ("conftest.py", 1), ("test_public.py", 1), ("step1_scaling.py", 1)],
)
def test_what_draws_is_no_step_and_no_check(sample, name, problems):
    """A student who cannot draw can still do the steps."""
    assert len(in_python(sample, "import matplotlib.pyplot as plt\n", name)) == problems


def test_a_relative_import_is_a_problem(sample):
    """A handout is no package: pytest imports its files by their bare names."""
    (problem,) = in_python(sample, "from . import step1_scaling\n")

    assert "relative" in problem.what


@pytest.mark.parametrize(
    "path",
    ["/home/me/x.npy", "/tmp/x", "/tmp", "~/x", "C:\\x", "d:/x", "see /Users/me", "~\\x"],
)
def test_a_path_of_one_machine_is_a_problem(sample, path):
    """It is there for its author only."""
    (problem,) = in_python(sample, f"NAME = {path!r}\n")

    assert problem.what.startswith("holds a path of one machine")


def test_a_path_inside_a_formatted_string_is_found(sample):
    """f-strings hold paths as often as plain ones."""
    (problem,) = in_python(sample, 'NAME = f"/home/{1}"\n')

    assert "one machine" in problem.what


def test_a_backslash_path_is_a_problem(sample):
    """Only Windows splits at a backslash."""
    (problem,) = in_python(sample, f"NAME = {'data' + chr(92) + 'weights.npy'!r}\n")

    assert "only Windows" in problem.what


def test_python_that_does_not_parse_is_a_problem(sample):
    """A file that cannot be read cannot be vouched for."""
    (problem,) = in_python(sample, "def f(:\n")

    assert "is not Python" in problem.what


@pytest.mark.parametrize(
    "name",
    ["con.py", "AUX", "nested/com1.txt", "end.", "end ", "what?.md", "a:b", "q|r", "nul.tar.gz"],
)
def test_a_name_that_windows_refuses_is_a_problem(sample, name):
    """git cannot check it out there, and a zip cannot be unpacked."""
    (problem,) = in_python(sample, "", name)

    assert "Windows allows no file named" in problem.what


@pytest.mark.parametrize("name", ["console.py", "community.md", ".gitignore", "com10.txt"])
def test_a_name_that_only_begins_like_a_device_is_allowed(sample, name):
    """Only the bare device names are reserved."""
    assert in_python(sample, "", name) == []


@pytest.mark.parametrize("name", ["readme.md", "Step1_Scaling.py"])
def test_names_that_differ_in_capitals_only_are_a_problem(sample, name):
    """Where case does not count, one of the two is lost."""
    (problem,) = in_python(sample, "", name)

    assert "capitals only" in problem.what
