"""No line of a solution stands anywhere in a handout, however it is dressed."""

from __future__ import annotations

import json
import os
import py_compile
import sys

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from autograder.errors import CourseError
from autograder.handout import leak_problems

SECRET = "shifted = scores - scores.max(axis=-1, keepdims=True)"


def found(sample):
    return leak_problems(sample.handout, sample.solutions, sample.files)


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("README.md", f"Write\n\n    {SECRET}\n"),
        ("conftest.py", f"# {SECRET}\n"),
        ("tests/nested/test_public.py", f"HINT = '''{SECRET}'''\n"),
        ("assignment.toml", f'title = "{SECRET}"\n'),
        ("notes", SECRET.replace(" ", "")),
        ("reformatted.py", SECRET.replace(" ", "\n")),
        ("step2_softmax.py", f"def softmax(scores):\n    {SECRET}\n"),
    ],
)
def test_a_solution_line_is_found_in_any_file(sample, name, text):
    """README, public checks, configuration, stubs and nested folders are all handed out."""
    path = sample.handout / name
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, encoding="utf-8")

    (problem,) = found(sample)

    assert problem.where.startswith(f"{path}:")
    assert "line 9 of the solution step2_softmax.py" in problem.what


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture], max_examples=50)
@given(st.data())
def test_whitespace_and_quoting_hide_nothing(sample, data):
    """Line breaks, quotes, backslashes between any two characters leave the line readable."""
    noise = st.text(" \t\n\r\"'`\\", max_size=2)
    dressed = "".join(char + data.draw(noise) for char in SECRET)
    (sample.handout / "README.md").write_text(dressed, encoding="utf-8")

    assert len(found(sample)) == 1


@pytest.mark.parametrize("ascii_only", [True, False])
def test_a_notebook_is_read_through_its_json(sample, ascii_only):
    """JSON escapes what a cell holds; the solution is found behind the escapes."""
    solution = sample.solutions / "step1_scaling.py"
    text = solution.read_text("utf-8").replace("root =", "rôot_of_d_k =")
    solution.write_text(text, encoding="utf-8")
    cell = {"cell_type": "code", "source": ["x = 1\n", "rôot_of_d_k = math.sqrt(d_k)"]}
    notebook = json.dumps({"cells": [cell]}, ensure_ascii=ascii_only)
    (sample.handout / "explore.ipynb").write_text(notebook, encoding="utf-8")

    (problem,) = found(sample)

    assert "explore.ipynb" in problem.where


def test_utf16_hides_nothing(sample):
    """Windows editors save UTF-16; students can read it."""
    (sample.handout / "hint.txt").write_text(SECRET, encoding="utf-16")

    assert len(found(sample)) == 1


def test_a_marked_single_line_counts_as_a_solution_line(sample):
    """`# SOLUTION` hides a line as much as a block does."""
    solution = sample.solutions / "step1_scaling.py"
    solution.write_text("def f(x):\n    return x + 12345678  # SOLUTION\n", encoding="utf-8")
    (sample.handout / "README.md").write_text("return x + 12345678", encoding="utf-8")

    (problem,) = found(sample)

    assert "line 2 of the solution step1_scaling.py" in problem.what


@pytest.mark.parametrize(
    "shown",
    [
        "q = x @ w_q\nk = x @ w_k\n",
        "q = x @ w_q  # (..., n, d_k)\n\nk = x @ w_k  # (..., n, d_k)\n",
        "# q = x @ w_q\n# k = x @ w_k\n",
    ],
)
def test_short_lines_are_found_in_company(sample, shown):
    """`q = x @ w_q` alone is anybody's; two such lines in a row are the solution."""
    work = "    # BEGIN SOLUTION\n    q = x @ w_q  # a query\n    # a key\n    k = x @ w_k\n"
    solution = f"def f(x):\n{work}    return q, k\n    # END SOLUTION\n"
    (sample.solutions / "step1_scaling.py").write_text(solution, encoding="utf-8")
    readme = sample.handout / "README.md"
    readme.write_text("q = x @ w_q\n", encoding="utf-8")
    alone = found(sample)
    readme.write_text("# Small\n\n" + shown, encoding="utf-8")

    (problem,) = found(sample)

    assert alone == []
    assert problem.where == f"{readme}:3"


def test_the_whole_solution_is_one_problem_with_its_count(sample):
    """A copied file is reported once, not once a line."""
    source = (sample.solutions / "step2_softmax.py").read_text("utf-8").replace("SOLUTION", "")
    (sample.handout / "old.txt").write_text(source, encoding="utf-8")

    (problem,) = found(sample)

    assert "and 2 more of its lines" in problem.what


@pytest.mark.parametrize(
    "text",
    [
        "import math\n",  # stands outside the blocks of step 1
        "scores: (..., n_q, n_k).",  # the docstring's
        "a dot product's spread",  # a comment
        "x = root",  # too short to be anybody's
    ],
)
def test_what_is_no_secret_may_be_handed_out(sample, text):
    """Imports, docstrings, comments and short lines of a solution are nobody's secret."""
    (sample.handout / "README.md").write_text(text, encoding="utf-8")

    assert found(sample) == []


def test_a_line_that_also_stands_outside_the_blocks_is_no_secret(sample):
    """What the stub itself shows cannot leak."""
    solution = sample.solutions / "step1_scaling.py"
    shown = solution.read_text("utf-8").replace("Divide by", "root = math.sqrt(d_k). Divide by")
    solution.write_text(shown, encoding="utf-8")
    (sample.handout / "README.md").write_text("root = math.sqrt(d_k)", encoding="utf-8")

    assert found(sample) == []


@pytest.mark.parametrize("marker", ["# BEGIN SOLUTION", "END SOLUTION", "x = 1  # SOLUTION"])
def test_a_marker_is_a_leak_by_itself(sample, marker):
    """Where a marker is left, something was not cut."""
    (sample.handout / "README.md").write_text(marker, encoding="utf-8")

    (problem,) = found(sample)

    assert "solution marker" in problem.what


def test_a_solution_function_is_known_under_other_names(sample):
    """Renaming and reflowing do not make a public helper of a solution."""
    renamed = '''
def helper(logits: "array"):
    """Rows sum to one."""
    z = logits - logits.max(axis=-1,
                            keepdims=True)
    e = np.exp(z)
    return e / e.sum(axis=-1, keepdims=True)
'''
    (sample.handout / "conftest.py").write_text(renamed, encoding="utf-8")

    (problem,) = found(sample)

    assert "`helper` is the solution's softmax of step2_softmax.py" in problem.what


def test_a_function_that_computes_something_else_is_not_accused(sample):
    """Same form, another attribute: not the solution."""
    other = "def helper(a):\n    z = a - a.min(axis=-1, keepdims=True)\n    return z / z.sum()\n"
    (sample.handout / "conftest.py").write_text(other, encoding="utf-8")

    assert found(sample) == []


def test_a_link_is_a_problem_and_is_not_followed(sample):
    """A link may point at a solution; in a zip it becomes one."""
    (sample.handout / "folder").symlink_to(sample.solutions)
    (sample.handout / "file.py").symlink_to(sample.solutions / "step1_scaling.py")

    assert [problem.what for problem in found(sample)] == ["is a link", "is a link"]


def test_what_cannot_be_searched_is_a_problem(sample):
    """More than a megabyte, a pipe, compiled Python: none is read, each is named."""
    (sample.handout / "big.bin").write_bytes(b"0" * 1_000_001)
    os.mkfifo(sample.handout / "pipe")
    (sample.handout / "step1_scaling.pyc").write_bytes(b"")

    big, pipe, compiled = found(sample)

    assert "1,000,001 bytes" in big.what
    assert pipe.what == "is no plain file"
    assert "compiled" in compiled.what


def test_a_cache_of_a_stub_is_left_alone_and_one_of_a_solution_is_not(sample):
    """Running the public checks compiles the stubs; a solution that once lay there must go."""
    stub = sample.handout / "step1_scaling.py"
    solution = sample.solutions / "step1_scaling.py"
    py_compile.compile(str(stub))
    clean = found(sample)
    py_compile.compile(
        str(solution), cfile=str(stub.parent / "__pycache__" / "step1_scaling.cpython-399.pyc")
    )

    (problem,) = found(sample)

    assert clean == []
    assert problem.what == "was compiled from the solution step1_scaling.py"


@pytest.mark.parametrize("folder", [".venv", "venv", "mine", ".git", ".idea", ".vscode"])
def test_a_folder_of_a_tools_is_not_searched(sample, folder):
    """It is not packaged; a virtual environment alone would give a thousand problems."""
    (sample.handout / folder).mkdir()
    (sample.handout / folder / "pyvenv.cfg").write_text("home = /usr/bin\n")
    (sample.handout / folder / "python").symlink_to("/usr/bin/python3")
    (sample.handout / "other").symlink_to("/usr/bin")

    assert [problem.where for problem in found(sample)] == [str(sample.handout / "other")]


def test_a_solution_that_is_not_python_is_named(sample):
    """Its functions cannot be searched for, so nothing is promised."""
    text = "def f(:\n    # BEGIN SOLUTION\n    return 1\n    # END SOLUTION\n"
    (sample.solutions / "step1_scaling.py").write_text(text, encoding="utf-8")

    with pytest.raises(CourseError, match=r"step1_scaling\.py: is not valid Python"):
        found(sample)


def test_searching_needs_no_otter(sample, monkeypatch):
    """A packager or a pre-commit hook may look for leaks where otter is not installed."""
    monkeypatch.setitem(sys.modules, "otter.assign.solutions", None)

    assert found(sample) == []
