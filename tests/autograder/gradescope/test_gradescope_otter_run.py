"""`otter run` with a package: the scores of `autograder grade`, in whatever form files come."""

from __future__ import annotations

import csv
import os
import pickle
from collections.abc import Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from pathlib import Path

import pytest

from .packages import (
    DOUBLE,
    EXAMPLES,
    SCORES,
    STEPS,
    Graded,
    bundled,
    files_in,
    hostile,
    members,
    otter_run,
    packable,
    packaged,
    zip_of,
)

pytestmark = pytest.mark.slow

NAMES = sorted(path.name for path in EXAMPLES.iterdir() if path.is_dir())
BESIDE = {
    "README.md": "# My homework\n",
    "LICENSE": "MIT\n",
    ".gitignore": "*.pyc\n",
    ".git/HEAD": "ref: refs/heads/main\n",
    ".git/objects/ab/cd": "binary",
    ".github/workflows/test.yml": "on: push\n",
    "notes/ideas.py": "raise SystemExit\n",
    "docs/conf.py": "raise SystemExit\n",
}
FORMS: dict[str, dict[str, str | bytes]] = {
    "one flat folder": {**STEPS},
    "one folder down": {f"hw1/{name}": text for name, text in STEPS.items()},
    "a tree of GitHub's": {**STEPS, **BESIDE},
    "a tree of GitHub's, one folder down": {
        f"homework-main/{name}": text for name, text in {**STEPS, **BESIDE}.items()
    },
    "a zip in a zip": {"homework.zip": zip_of(STEPS)},
}


@pytest.fixture(scope="module")
def two_at_a_time() -> Iterator[ThreadPoolExecutor]:
    """Runs are started at once; a test waits for its own."""
    with ThreadPoolExecutor(2) as pool:
        yield pool
        pool.shutdown(cancel_futures=True)


@pytest.fixture(scope="module")
def examples(two_at_a_time, tmp_path_factory) -> dict[str, Future[Graded]]:
    """Every bundled example, zipped and graded by `otter run`."""
    folder = tmp_path_factory.mktemp("examples")
    package = bundled() / "self_attention-autograder.zip"

    def grade(name: str) -> Graded:
        submission = folder / f"{name}.zip"
        submission.write_bytes(zip_of(files_in(EXAMPLES / name)))
        return otter_run(package, submission, folder / name)

    return {name: two_at_a_time.submit(grade, name) for name in NAMES}


def expected() -> dict[str, dict[str, str]]:
    """What `autograder grade` gives, by example and column."""
    with (EXAMPLES / "expected-grades.csv").open(encoding="utf-8-sig", newline="") as file:
        return {row["submission"]: row for row in csv.DictReader(file)}


def test_every_example_has_its_expected_grades():
    """None is left out of what follows."""
    assert sorted(expected()) == NAMES
    assert len(NAMES) >= 18


@pytest.mark.parametrize("name", NAMES)
def test_otter_run_gives_the_scores_of_autograder_grade(examples, name):
    """For every bundled submission, in every question; and the total is the assignment's."""
    graded = examples[name].result()

    assert graded.status == 0, graded.output
    row = expected()[name]
    assert graded.scores == {question: float(row[question]) for question in graded.scores}
    assert sum(graded.scores.values()) == float(row["score"])
    assert sum(one.get("max_score", 0) for one in graded.rows) == float(row["max_score"]) == 100
    assert len(graded.scores) == 6


@pytest.fixture(scope="module")
def package(new_course, tmp_path_factory) -> Path:
    """The small course's zip."""
    return packaged(packable(new_course(tmp_path_factory.mktemp("packaged"))))


@pytest.fixture(scope="module")
def marks(tmp_path_factory) -> Path:
    """An empty folder for marks."""
    return tmp_path_factory.mktemp("marks")


@pytest.fixture(scope="module")
def forms(two_at_a_time, package, marks, tmp_path_factory) -> dict[str, Future[Graded]]:
    """One submission in every form, graded by `otter run`."""
    folder = tmp_path_factory.mktemp("forms")
    (folder / "step1_double.py").write_text(DOUBLE)

    def grade(at: int, files: dict[str, str | bytes]) -> Graded:
        submission = folder / f"{at}.zip"
        submission.write_bytes(zip_of(files))
        return otter_run(package, submission, folder / f"out-{at}")

    every = {
        **FORMS,
        "hostile": hostile(marks),
        "a stray notebook": {**STEPS, "scratch.ipynb": '{"cells": []}'},
        "nothing": {"notes.txt": "I could not do it."},
    }
    futures = {
        form: two_at_a_time.submit(grade, at, files)
        for at, (form, files) in enumerate(every.items())
    }
    futures["one file"] = two_at_a_time.submit(
        otter_run, package, folder / "step1_double.py", folder / "out-one"
    )
    return futures


@pytest.mark.parametrize("form", FORMS)
def test_a_submission_is_graded_in_whatever_form_it_comes(forms, form):
    """The same rows, to the letter."""
    graded = forms[form].result()

    assert graded.status == 0, graded.output
    assert graded.scores == SCORES
    assert graded.rows == forms["one flat folder"].result().rows


def test_one_file_is_graded_and_the_others_are_missing(forms):
    """`otter run` takes a file as it is."""
    graded = forms["one file"].result()

    assert graded.status == 0, graded.output
    assert graded.scores == {"double": 40.0, "total": 0.0}
    assert "step2_total.py is missing from what was handed in." in graded.rows[-1]["output"]


def test_files_with_the_names_of_others_change_nothing(forms, marks):
    """otter-grader's tests and logs, Python's modules, our notebook, results of their own: the same
    rows as without them, and none of their code was run."""
    graded = forms["hostile"].result()

    assert graded.status == 0, graded.output
    assert graded.scores == SCORES
    assert graded.rows == forms["one flat folder"].result().rows
    assert os.listdir(marks) == []


def test_the_mark_would_have_been_left(marks, tmp_path):
    """What is said above is no empty claim."""
    files = hostile(tmp_path)

    exec(files["numpy.py"], {"__name__": "numpy"})
    pickle.loads(files[".OTTER_LOG"])

    assert sorted(os.listdir(tmp_path)) == ["log", "numpy"]


def test_a_submission_without_a_step_has_no_points_and_is_told_why(forms):
    """It is graded; it is not otter-grader's "no gradable files"."""
    graded = forms["nothing"].result()

    assert graded.status == 0, graded.output
    assert graded.scores == {"double": 0.0, "total": 0.0}
    assert (
        "None of the assignment's files was handed in; found: notes.txt."
        in (graded.report["output"])
    )


def test_a_stray_notebook_is_otters_own_error(forms):
    """Known: `otter run` looks for notebooks before any plugin is asked. On Gradescope our program
    takes the student's files first, and such a submission is graded."""
    graded = forms["a stray notebook"].result()

    assert graded.status != 0
    assert "More than one .ipynb file found in submission" in graded.output
    assert graded.report is None


def test_the_verdicts_are_no_words_of_a_grader(forms, package):
    """What a student reads holds no line of a test file, and no hidden check's name."""
    graded = forms["one flat folder"].result()
    text = "\n".join([row["output"] for row in graded.rows] + [graded.report["output"]])
    hidden = members(package)["course/tests/demo/test_total.py"].decode()

    assert "any_length" in hidden
    assert "any_length" not in text
    assert "any length" not in text
    assert not [line for line in hidden.splitlines() if len(line) > 8 and line in text]
    assert "Traceback" not in text
