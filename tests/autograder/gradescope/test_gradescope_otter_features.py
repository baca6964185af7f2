"""otter-grader's plugins and options beside ours, on a folder like Gradescope's: graded by the
command that run_autograder starts, without its container."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import sysconfig
from collections.abc import Callable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pytest

from autograder.gradescope.package import Options, package
from autograder.gradescope.spec import decode_report

from .packages import (
    METADATA,
    SCORES,
    STEPS,
    Graded,
    grade_laid_out,
    grading_command,
    hostile,
    lay_out,
    members,
    packable,
    prove_nothing,
)

pytestmark = pytest.mark.slow

RATE = {"otter.plugins.builtin.RateLimiting": {"allowed_submissions": 2, "hours": 1}}
RIGHT = {**STEPS, "step2_total.py": STEPS["step2_total.py"].replace("[..., 0]", ".sum(axis=-1)")}
REASON = "The course's staff has read the graders."
NOTEBOOK = '{"cells": [], "metadata": {}, "nbformat": 4, "nbformat_minor": 5}'
COURSE_PLUGIN = """
from otter.plugins import AbstractOtterPlugin


class Late(AbstractOtterPlugin):
    def after_grading(self, results):
        for name in results.test_files:
            results.update_score(name, results.get_score(name) * self.plugin_config["factor"])


class Raises(AbstractOtterPlugin):
    def after_grading(self, results):
        raise RuntimeError("the course's own plugin")


class Exits(AbstractOtterPlugin):
    def after_grading(self, results):
        raise SystemExit(0)
"""


def sent(*before: str) -> dict[str, Any]:
    """The metadata of a submission that comes after others, sent at these times."""
    previous = [
        {
            "submission_time": f"2026-10-01T{time}.123456-07:00",
            "score": "40.0",
            "autograder_error": False,
            "results": {"score": 40.0, "tests": [{"name": "double", "score": 40.0}]},
        }
        for time in before
    ]
    return {**METADATA, "previous_submissions": previous}


# What the course configures: otter-grader's options, and `rows` of [gradescope].
PACKAGES: dict[str, tuple[dict[str, Any], str]] = {
    "plain": ({}, "checks"),
    "limited": ({"plugins": [RATE]}, "checks"),
    "limited, otter's rows": ({"plugins": [RATE]}, "otter"),
    "half is enough": ({"score_threshold": 0.5}, "checks"),
    "out of ten": ({"points_possible": 10}, "checks"),
    "half is enough for ten": ({"score_threshold": 0.5, "points_possible": 10}, "checks"),
    "otter's rows": ({}, "otter"),
    "late": ({"plugins": [{"course_plugin.Late": {"factor": 0.5}}]}, "checks"),
    "raising": ({"plugins": ["course_plugin.Raises"]}, "checks"),
    "exiting": ({"plugins": ["course_plugin.Exits"]}, "checks"),
    "unproved": ({}, "checks"),
}
RUNS: dict[str, tuple[str, dict[str, str], Any]] = {
    # what is graded → the package, the files, the metadata
    "in part right": ("plain", STEPS, METADATA),
    "right": ("unproved", RIGHT, METADATA),
    "nothing handed in": ("unproved", {}, METADATA),
    "within the limit": ("limited", STEPS, sent("11:30:00", "10:30:00")),
    "beyond the limit": ("limited", STEPS, sent("11:30:00", "11:45:00", "10:30:00")),
    "beyond the limit, otter's rows": (
        "limited, otter's rows",
        STEPS,
        sent("11:30:00", "11:45:00"),
    ),
    "below the threshold": ("half is enough", STEPS, METADATA),
    "above the threshold": ("half is enough", RIGHT, METADATA),
    "out of ten": ("out of ten", STEPS, METADATA),
    "above the threshold, out of ten": ("half is enough for ten", RIGHT, METADATA),
    "otter's rows": ("otter's rows", STEPS, METADATA),
    "late": ("late", STEPS, METADATA),
    "raising": ("raising", RIGHT, METADATA),
    "exiting": ("exiting", RIGHT, METADATA),
    "a stray notebook": (
        "plain",
        {**STEPS, "scratch.ipynb": NOTEBOOK, "more.ipynb": NOTEBOOK},
        METADATA,
    ),
    "names of otter's folders": (
        "plain",
        {**STEPS, "tests": "a file", "attention_autograder.ipynb/x": "a folder", "files": "a file"},
        METADATA,
    ),
    "nothing": ("plain", {}, METADATA),
    "two sets": (
        "plain",
        {f"{folder}/{name}": text for folder in ("old", "new") for name, text in RIGHT.items()},
        METADATA,
    ),
    "metadata of another shape": ("plain", STEPS, ["no", "object"]),
}
NOT_GRADED = ("raising", "exiting")


@pytest.fixture(scope="module")
def python(tmp_path_factory) -> str:
    """An interpreter with all of this one's packages and the course's own plugin."""
    folder = tmp_path_factory.mktemp("environment")
    subprocess.run([sys.executable, "-m", "venv", "--without-pip", folder], check=True)
    (site,) = folder.glob("lib/python*/site-packages")
    here = sysconfig.get_path("purelib")
    (site / "base.pth").write_text(f"import site; site.addsitedir({here!r})\n")
    (site / "course_plugin.py").write_text(COURSE_PLUGIN)
    return str(folder / "bin/python")


@pytest.fixture(scope="module")
def packages(new_course, tmp_path_factory) -> dict[str, Path]:
    """Every package of PACKAGES."""
    made = {}
    plugins = tmp_path_factory.mktemp("plugins")
    (plugins / "course_plugin.py").write_text(COURSE_PLUGIN)
    with pytest.MonkeyPatch.context() as patch:
        patch.syspath_prepend(plugins)
        prove_nothing(patch)
        for name, (options, rows) in PACKAGES.items():
            if name == "unproved":
                prove_nothing(patch, "not all is proved")
            course = packable(new_course(tmp_path_factory.mktemp("course")))
            manifest = course.root / "assignments/demo/assignment.toml"
            manifest.write_text(f'{manifest.read_text()}\n[gradescope]\nrows = "{rows}"\n')
            course.write("tests/demo/otter_config.json", json.dumps(options))
            chosen = Options(unproved=REASON)
            made[name] = package(course.assignment, course.root / "dist", chosen).autograder
    return made


@pytest.fixture(scope="module")
def marks(tmp_path_factory) -> Path:
    """An empty folder for marks."""
    return tmp_path_factory.mktemp("marks")


@pytest.fixture(scope="module")
def graded(packages, python, marks, tmp_path_factory) -> Iterator[Callable[[str], Graded]]:
    """Every run of RUNS, two at a time; called with a name it waits for that one."""
    root = tmp_path_factory.mktemp("gradescope")
    runs = {**RUNS, "hostile": ("plain", hostile(marks), METADATA)}

    def grade(at: int, name: str, files: dict[str, str], metadata: Any) -> Graded:
        return grade_laid_out(lay_out(packages[name], files, root / str(at), metadata), python)

    with ThreadPoolExecutor(2) as pool:
        futures: dict[str, Future[Graded]] = {
            run: pool.submit(grade, at, *words) for at, (run, words) in enumerate(runs.items())
        }
        yield lambda run: futures[run].result()
        pool.shutdown(cancel_futures=True)


def points(graded: Graded) -> dict[str, float]:
    """Points by question, as the rows of ours have them."""
    found = dict.fromkeys(SCORES, 0.0)
    for row in graded.rows:
        if "score" in row:
            found[row["tags"][1]] += row["score"]
    return found


@pytest.mark.parametrize("run", RUNS)
def test_every_results_json_is_what_gradescope_specifies(graded, run):
    """Its rows are out of all points of the assignment, and stdout is hidden."""
    done = graded(run)

    assert done.status == 0, done.output
    report = decode_report(json.dumps(done.report).encode())
    assert sum(row.max_score or 0 for row in report.tests) == 100
    assert report.stdout_visibility == "hidden"


def test_otter_grader_adds_nothing_where_nothing_is_configured(graded):
    """The points are those of the rows; no score stands above them."""
    done = graded("in part right")

    assert points(done) == SCORES
    assert "score" not in done.report
    assert done.report["output"] == "**Public checks: 10 of 10 points**"


def test_a_submission_within_the_rate_limit_is_told_so(graded):
    """By otter-grader's own plugin, above what we say; nothing is hidden."""
    done = graded("within the limit")

    assert points(done) == SCORES
    said = (
        "Students are allowed 2 submissions every 1 hours. You have 1 submissions in that period."
    )
    assert said in done.report["output"]
    assert "Public checks: 10 of 10 points" in done.report["output"]
    assert done.rows == graded("in part right").rows


def test_a_submission_beyond_the_rate_limit_sees_nothing_but_that(graded):
    """Every row is hidden and our words are gone; staff still see the points."""
    done = graded("beyond the limit")

    assert points(done) == SCORES
    assert {row["visibility"] for row in done.rows} == {"hidden"}
    assert "You have exceeded the rate limit for the autograder." in done.report["output"]
    assert "10 of 10" not in done.report["output"]


def test_beyond_the_rate_limit_otters_own_rows_are_hidden_too(graded):
    """The same with `rows = "otter"`."""
    done = graded("beyond the limit, otter's rows")

    assert done.scores == SCORES
    assert {row["visibility"] for row in done.rows} == {"hidden"}
    assert "You have exceeded the rate limit for the autograder." in done.report["output"]
    assert "10 of 10" not in done.report["output"]


@pytest.mark.parametrize(
    ("run", "score"),
    [
        ("below the threshold", 0),
        ("above the threshold", 100),
        ("out of ten", 4),
        ("above the threshold, out of ten", 10),
    ],
)
def test_a_threshold_and_other_points_decide_the_score(graded, run, score):
    """As otter-grader reckons them; the rows keep what each check earned."""
    done = graded(run)

    total = sum(points(done).values())
    assert done.report.get("score", total) == score
    assert total == (40 if score in (0, 4) else 100)


def test_otters_own_rows_are_left_as_they_are(graded):
    """Its summary and a row a question, with our verdicts and words in them."""
    done = graded("otter's rows")

    assert [row["name"] for row in done.rows] == ["Public Tests", "double", "total"]
    assert done.scores == SCORES
    assert done.report["extra_data"]["isolation"] == "strong"


def test_another_plugin_may_change_points(graded):
    """What it decided after our verdicts counts; the rows keep what each check earned."""
    done = graded("late")

    assert points(done) == SCORES
    assert done.report["score"] == 20


@pytest.mark.parametrize("run", NOT_GRADED)
def test_a_plugin_that_fails_leaves_its_assignment_not_graded(graded, packages, run):
    """What it would have decided is not known: nobody gets points or loses them for that, and the
    report says whose fault it is."""
    done = graded(run)

    assert done.report == json.loads(members(packages[run])["not_graded.json"])
    assert "our fault, not yours" in done.report["output"]
    assert {row["score"] for row in done.rows} == {0}


def test_a_plugins_failure_is_said_in_the_log(graded):
    """For staff: its own words."""
    assert "RuntimeError: the course's own plugin" in graded("raising").output


@pytest.mark.parametrize("run", ["right", "nothing handed in"])
def test_the_reason_of_an_unproved_package_is_in_every_result(graded, run):
    """Whatever was handed in."""
    assert graded(run).report["extra_data"]["unproved"] == REASON


def test_a_stray_notebook_costs_nothing(graded):
    """Where `otter run` gives up, what stands beside it is graded, and it is said what was not."""
    done = graded("a stray notebook")

    assert done.rows == graded("in part right").rows
    assert (
        "only the assignment's own files are graded: more.ipynb, scratch.ipynb."
        in (done.report["output"])
    )


@pytest.mark.parametrize("run", ["hostile", "names of otter's folders"])
def test_files_with_the_names_of_others_change_nothing(graded, marks, run):
    """The same rows as without them, and none of their code was run."""
    done = graded(run)

    assert done.status == 0, done.output
    assert done.rows == graded("in part right").rows
    assert "score" not in done.report
    assert os.listdir(marks) == []


@pytest.mark.parametrize(
    ("run", "said"),
    [
        ("nothing", "None of the assignment's files was handed in; found: nothing."),
        ("two sets", "The assignment's files stand in several folders: new, old."),
    ],
)
def test_what_cannot_be_graded_has_no_points_and_is_told_why(graded, run, said):
    """It is a verdict on the student's upload, not a fault of ours."""
    done = graded(run)

    assert points(done) == {"double": 0, "total": 0}
    assert said in done.report["output"]
    assert "our fault" not in json.dumps(done.report)


def test_metadata_of_another_shape_costs_nothing(graded):
    """Only plugins need it."""
    assert graded("metadata of another shape").rows == graded("in part right").rows


def test_killed_in_the_middle_it_has_said_that_it_is_not_graded(
    packages, tmp_path, processes_of, wait_for
):
    """The report that is written first stays, and it is valid."""
    endless = {**STEPS, "step1_double.py": "def double(x):\n    while True:\n        pass\n"}
    root = lay_out(packages["plain"], endless, tmp_path / "gradescope", METADATA)
    run = subprocess.Popen(grading_command(root), start_new_session=True)
    try:
        wait_for((root / "graded/.lock").exists)
        assert any("--only-grade" in command for command in processes_of(run.pid).values())

        run.kill()

        assert run.wait() == -signal.SIGKILL
        report = (root / "results/results.json").read_bytes()
    finally:
        os.killpg(run.pid, signal.SIGKILL)
        run.wait()
    assert decode_report(report).extra_data["broken"] == ["everything"]
    assert report == members(packages["plain"])["not_graded.json"]
    assert [path.name for path in (root / "results").iterdir()] == ["results.json"]
