"""The package really runs: its setup.sh in a clean root, its run_autograder in a container with the
capabilities and system calls of Docker's defaults, with Landlock and without."""

from __future__ import annotations

import csv
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pytest

from autograder.gradescope.rows import NOT_GRADED
from autograder.gradescope.spec import decode_report

from .container import Graded, Image
from .packages import EXAMPLES, bundled
from .running import NoMemoryLimit

pytestmark = pytest.mark.slow
QUESTIONS = ("projections", "scores", "scaling", "softmax", "output", "self_attention")
MOST_PSS_MB = 500
KERNELS = {"Landlock": True, "no Landlock": False}
SECRET = "A constant divisor, or √n, is right for one width only."  # of a hidden grader
READER = """
import glob

PLACES = ["/autograder/source/course/tests/self_attention/test_step3_scaling.py"]
PLACES += ["/autograder/submission_metadata.json", "/autograder/results/results.json"]
PLACES += glob.glob("/autograder/**", recursive=True)


def found():
    texts = []
    for place in PLACES:
        try:
            texts.append(open(place, errors="replace").read())
        except OSError:
            pass
    return "".join(texts)


def scale_scores(scores, d_k):
    try:
        with open("/autograder/results/results.json", "w") as file:
            file.write('{"score": 100}')
    except OSError:
        pass
    raise ValueError(f"FOUND {len(found())}: {found()}")
"""


def expected() -> dict[str, dict[str, str]]:
    """What `autograder grade` gives for the bundled class."""
    with (EXAMPLES / "expected-grades.csv").open(encoding="utf-8-sig", newline="") as file:
        return {row["submission"]: row for row in csv.DictReader(file)}


def scores(graded: Graded) -> dict[str, float]:
    """Points by question, from the rows' tags."""
    points: dict[str, float] = {}
    for row in decode_report(graded.results or b"").tests or []:
        if row.score is not None and row.tags:
            points[row.tags[1]] = points.get(row.tags[1], 0.0) + row.score
    return points


def possible(graded: Graded) -> float:
    """What the rows' points add up to."""
    rows = decode_report(graded.results or b"").tests or []
    return round(sum(row.max_score or 0.0 for row in rows), 2)


@pytest.fixture(scope="module")
def packaged(clean_root: Path) -> Image:
    """The image that the bundled assignment's setup.sh makes."""
    return Image.build(clean_root, bundled() / "self_attention-autograder.zip")


@pytest.fixture(scope="module")
def graded_class(packaged: Image) -> dict[tuple[str, str], Graded]:
    """Every bundled submission, on both kinds of kernel, two at a time."""
    jobs = [(name, kernel) for name in expected() for kernel in KERNELS]

    def grade(job: tuple[str, str]) -> Graded:
        return packaged.grade(EXAMPLES / job[0], landlock=KERNELS[job[1]])

    with ThreadPoolExecutor(2) as pool:
        return dict(zip(jobs, pool.map(grade, jobs), strict=True))


@pytest.mark.parametrize("kernel", KERNELS)
@pytest.mark.parametrize("name", expected())
def test_the_bundled_class_is_graded_as_by_autograder_grade(graded_class, name, kernel):
    """Question by question, and the rows' points add up to the assignment's."""
    graded = graded_class[name, kernel]
    want = expected()[name]

    assert graded.status == 0, graded.output
    assert scores(graded) == pytest.approx({name: float(want[name]) for name in QUESTIONS})
    assert possible(graded) == float(want["max_score"])


@pytest.mark.parametrize("kernel", KERNELS)
def test_a_container_gives_the_promise_strong(graded_class, kernel):
    """Hidden grading demands it; nothing is graded with less."""
    report = decode_report(graded_class["right", kernel].results or b"")

    assert (report.extra_data or {})["isolation"] == "strong"


def test_the_whole_tree_stays_small(packaged):
    """otter-grader's kernel included, a container needs less than 500 MB."""
    graded = packaged.grade(EXAMPLES / "right")  # alone: what two share counts half for each

    print(f"alone: {graded.peak_pss_mb:.0f} MB of PSS, {graded.seconds:.1f} seconds")
    assert 50 < graded.peak_pss_mb < MOST_PSS_MB


@pytest.mark.parametrize("kernel", KERNELS)
def test_no_grader_and_no_metadata_can_be_read(packaged, kernel):
    """Whoever knows the exact paths reads nothing in /autograder and writes nothing there."""
    submission = {path.name: path.read_bytes() for path in (EXAMPLES / "right").glob("*.py")}
    submission["step3_scaling.py"] = READER.encode()

    graded = packaged.grade(submission, landlock=KERNELS[kernel])

    text = (graded.results or b"").decode()
    assert "FOUND 0: " in text
    assert SECRET not in text
    assert "student@example.edu" not in text
    assert scores(graded)["scaling"] == 0
    assert sum(scores(graded).values()) == 85  # all but its own: step 6 is judged by itself


def test_the_reader_finds_what_is_open(tmp_path):
    """The submission of the test above reads and writes wherever it may."""
    hidden = tmp_path / "source/course/tests/self_attention/test_step3_scaling.py"
    for path, text in ((hidden, SECRET), (tmp_path / "results/results.json", "{}")):
        path.parent.mkdir(parents=True)
        path.write_text(text)
    module: dict[str, Any] = {}
    exec(READER.replace("/autograder", str(tmp_path)), module)

    with pytest.raises(ValueError, match=SECRET):
        module["scale_scores"](None, 1)

    assert (tmp_path / "results/results.json").read_text() == '{"score": 100}'


def test_files_named_like_ours_change_nothing(packaged, graded_class):
    """tests/, otter.py, numpy.py, a notebook, folders named like ours, an own results.json."""
    submission = {path.name: path.read_bytes() for path in (EXAMPLES / "no_scaling").glob("*.py")}
    evil = b"raise SystemExit('imported')\n"
    for name in ("otter", "numpy", "conftest", "sitecustomize", "usercustomize", "autograder/cli"):
        submission[f"{name}.py"] = evil
    submission |= {
        "tests/01_projections.py": evil,
        "tests/self_attention/test_step1_projections.py": evil,
        "attention_autograder.ipynb": b"{}",
        "homework.ipynb": b"not JSON",
        "results.json": b'{"score": 100}',
        "results/results.json": b'{"score": 100}',
        "graded/results/123456.json": b'{"score": 100}',
        "otter/results/results.json": b'{"score": 100}',
        "source/not_graded.json": b"{}",
        "__init__.py": evil,
    }

    graded = packaged.grade(submission)

    plain = decode_report(graded_class["no_scaling", "Landlock"].results or b"")
    report = decode_report(graded.results or b"")
    assert report.score is None
    assert report.tests == plain.tests
    assert "homework.ipynb" in (report.output or "")


def test_an_empty_submission_is_answered(packaged):
    """0 points, and why."""
    graded = packaged.grade({})

    report = decode_report(graded.results or b"")
    assert sum(scores(graded).values()) == 0
    assert possible(graded) == 100
    assert "None of the assignment's files was handed in" in (report.output or "")


def test_a_killed_container_has_said_that_it_is_our_fault(packaged):
    """Whenever the container ends, there is a valid results.json."""
    graded = packaged.grade(
        EXAMPLES / "infinite_loop_in_one_step",
        kill_when=lambda autograder: (autograder / "graded").exists(),
    )

    report = decode_report(graded.results or b"")
    assert graded.killed
    assert report.output == NOT_GRADED
    assert possible(graded) == 100


def test_gradescopes_memory_is_enough(packaged):
    """768 MB for everything in the container."""
    try:
        graded = packaged.grade(EXAMPLES / "right", memory_mb=768)
    except NoMemoryLimit as error:
        pytest.skip(str(error))

    assert sum(scores(graded).values()) == 100
