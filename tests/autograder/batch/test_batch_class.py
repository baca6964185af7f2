"""A class graded by the real program: kept, resumed, and whole after whatever was killed."""

from __future__ import annotations

import csv
import json
import os
import shutil
import signal
from pathlib import Path

import msgspec
import pytest

from autograder.batch import OutputFolder
from autograder.results import decode_result, encode_result, read_result
from autograder.sandbox import Settings
from benchmarks.classroom import stable

WRONG = "def double(x):\n    return 3 * x\n"
LEAVES = "import os\n\n\ndef double(x):\n    os._exit(1)\n"
SLOW = "import time\n\n\ndef double(x):\n    time.sleep(0.1)\n    return 2 * x\n"
SCORES = {"leaves": "60", "right": "100", "slow": "100", "wrong": "60"}
WEAK = Settings(without=("own uid", "Landlock", "seccomp", "network namespace"))


def fill(course):
    """A class of four."""
    course.submit("leaves", step1_double=LEAVES)
    course.submit("right")
    course.submit("slow", step1_double=SLOW)
    course.submit("wrong", step1_double=WRONG)
    return course


@pytest.fixture(scope="module")
def graded(new_course, tmp_path_factory):
    """The class, graded into `out`; nobody changes it."""
    course = fill(new_course(tmp_path_factory.mktemp("class")))
    run = course.autograder("grade", "demo", "class", "--out", "out", "--jobs", 2, "--seed", 7)
    assert run.returncode == 0, run.stderr
    (course.root / "stdout").write_text(run.stdout)
    return course


@pytest.fixture
def again(graded, tmp_path):
    """A copy of the graded class, to be changed; file times are kept."""
    shutil.copytree(graded.root, tmp_path / "copy")
    return type(graded)(tmp_path / "copy")


def grade(course, *options):
    return course.autograder("grade", "demo", "class", "--out", "out", *options)


def scores(course):
    with (course.root / "out/grades.csv").open(encoding="utf-8-sig", newline="") as file:
        return {row["submission"]: row["score"] for row in csv.DictReader(file)}


def stamps(course):
    """Submission → when and where its result was written."""
    files = (course.root / "out/results").iterdir()
    return {path.stem: (path.stat().st_ino, path.stat().st_mtime_ns) for path in files}


def changed(before, after):
    return sorted(name for name in after if after[name] != before.get(name))


def test_a_class_is_graded_into_results_feedback_and_a_gradebook(graded):
    """One result and one page a submission; only their owner can reach them."""
    out = graded.root / "out"

    assert scores(graded) == SCORES
    assert {path.stem for path in (out / "feedback").iterdir()} == SCORES.keys()
    assert {path.stem for path in (out / "results").iterdir()} == SCORES.keys()
    assert json.loads((out / "run.json").read_text()) == {"assignment": "demo", "seed": 7}
    assert out.stat().st_mode & 0o777 == 0o700
    assert graded.was_run == []


def test_a_result_survives_the_way_to_disk_and_back(graded):
    """Every field of it; and half a file is no result."""
    for path in (graded.root / "out/results").iterdir():
        result = read_result(path)
        assert decode_result(encode_result(result)) == result
        assert encode_result(result) == path.read_bytes()
        assert result.submission == path.stem
        with pytest.raises(msgspec.MsgspecError):
            decode_result(path.read_bytes()[:-2])


def test_a_second_run_grades_nothing(again):
    """No result is touched, and table and gradebook are the same."""
    before, gradebook = stamps(again), (again.root / "out/grades.csv").read_bytes()

    run = grade(again)

    assert run.returncode == 0
    assert changed(before, stamps(again)) == []
    assert (again.root / "out/grades.csv").read_bytes() == gradebook
    assert "4 were graded already" in run.stdout
    table = [line for line in run.stdout.splitlines() if " of 100 " in line and "mean" not in line]
    assert table == [
        line
        for line in (again.root / "stdout").read_text().splitlines()
        if " of 100 " in line and "mean" not in line
    ]


def test_feedback_for_a_later_moment_is_written_without_grading(again):
    """The same command with a moment writes the pages alone, and says which they are."""
    before, page = stamps(again), again.root / "out/feedback/right.md"
    first = page.read_text()

    run = grade(again, "--moment", "after_published")
    later = page.read_text()
    grade(again)

    assert "feedback/ (with what is shown once grades are published)" in run.stdout
    assert changed(before, stamps(again)) == []
    assert "**Public checks 10 of 10; 90 points not shown yet**" in first
    assert "**100 of 100 points**" in later
    assert page.read_text() == first


def test_fresh_draws_a_new_seed_and_grades_all_again(again):
    """And the new seed is kept for the runs that follow."""
    before = stamps(again)

    grade(again, "--fresh")
    drawn = json.loads((again.root / "out/run.json").read_text())["seed"]
    after = stamps(again)
    grade(again)

    assert drawn != 7
    assert changed(before, after) == sorted(SCORES)
    assert changed(after, stamps(again)) == []
    assert scores(again) == SCORES


def test_only_what_changed_is_graded_again(again):
    """A submission that was handed in anew, a result cut short, one that is missing."""
    before = stamps(again)
    results = again.root / "out/results"
    shutil.copy(again.submissions / "right/step1_double.py", again.submissions / "wrong")
    (results / "leaves.json").write_bytes((results / "leaves.json").read_bytes()[:300])
    (results / "right.json").unlink()

    run = grade(again)

    assert run.returncode == 0
    assert changed(before, stamps(again)) == ["leaves", "right", "wrong"]
    assert scores(again) == {**SCORES, "wrong": "100"}


def test_results_of_another_class_are_named(again):
    """A folder that holds more than this class says so: nobody hands out the wrong feedback."""
    shutil.rmtree(again.submissions / "right")

    run = grade(again)

    assert "also hold 1 of submissions that are not in this class" in run.stdout
    assert "right" not in scores(again)
    assert (again.root / "out" / "feedback" / "right.md").exists()


def test_a_changed_grader_grades_everybody_again(again):
    """Nobody keeps a verdict of the old one."""
    before = stamps(again)
    again.grade_with("def test_any(compare, rng):\n    compare.double(rng.normal(size=3))\n")

    grade(again)

    assert changed(before, stamps(again)) == sorted(SCORES)


def test_a_broken_check_gives_no_score_until_it_is_mended(again):
    """Null in the result, empty in the gradebook, exit 1; the next run grades it again."""
    for name in ("slow", "leaves"):
        shutil.rmtree(again.submissions / name)
    fault = again.write("fault", "")  # of the machine, so that no file of the graders changes
    again.grade_with(
        "from pathlib import Path\n\n\ndef test_ours(compare):\n    compare.double(np.ones(3))\n"
        f'    if Path("{fault}").exists():\n        {{}}["a key"]\n'
    )

    broken = grade(again)
    kept = read_result(again.root / "out/results/right.json")
    told = (again.root / "out/feedback/right.md").read_text()
    no_scores = scores(again)
    fault.unlink()
    mended = grade(again)

    assert (broken.returncode, mended.returncode) == (1, 0)
    assert "BROKEN: ours in 1 of them" in broken.stdout
    assert kept.score is None
    assert "KeyError: 'a key'" in kept.broken[0].detail
    assert "our fault, not yours" in told
    assert "a key" not in told
    assert no_scores == {"right": "", "wrong": "60"}
    assert scores(again) == {"right": "100", "wrong": "60"}


def test_one_job_and_two_give_the_same(again):
    """The gradebook to the byte, and all of a result but its times."""
    two = {path.stem: stable(path.read_text()) for path in (again.root / "out/results").iterdir()}
    gradebook = (again.root / "out/grades.csv").read_bytes()
    shutil.rmtree(again.root / "out")

    grade(again, "--jobs", 1, "--seed", 7)

    assert (again.root / "out/grades.csv").read_bytes() == gradebook
    assert {p.stem: stable(p.read_text()) for p in (again.root / "out/results").iterdir()} == two


def test_two_runs_do_not_share_a_folder(again):
    """The second one says so and leaves everything as it is."""
    before = stamps(again)

    with OutputFolder(again.root / "out").locked():
        run = grade(again, "--fresh")

    assert run.returncode == 2
    assert "another run is writing to this folder" in run.stderr
    assert changed(before, stamps(again)) == []
    assert grade(again).returncode == 0


@pytest.mark.parametrize(
    "is_victim",
    [
        pytest.param(lambda command: "sandbox.base" not in command, id="grading process"),
        pytest.param(lambda command: "sandbox.base" in command, id="base process"),
    ],
)
def test_a_process_that_is_killed_costs_nobody_anything(again, processes_of, wait_for, is_victim):
    """Its submission is graded again in the same run, and everybody gets what is due."""
    shutil.rmtree(again.root / "out")
    run = again.start("grade", "demo", "class", "--out", "out", "--jobs", 2)
    right = again.root / "out/results/right.json"
    wait_for(right.exists)  # so `slow` is being graded now

    for pid, command in processes_of(run.pid).items():
        if is_victim(command):
            os.kill(pid, signal.SIGKILL)

    said, _ = run.communicate(timeout=60)
    assert run.returncode == 0, said
    assert scores(again) == SCORES


def test_a_run_that_is_killed_goes_on_where_it_was(again, processes_of, wait_for):
    """What was graded is kept, and no process outlives it."""
    shutil.rmtree(again.root / "out")
    run = again.start("grade", "demo", "class", "--out", "out", "--jobs", 1)
    wait_for((again.root / "out/results/right.json").exists)
    helpers = processes_of(run.pid)

    run.kill()
    run.communicate(timeout=60)
    before = stamps(again)
    went_on = grade(again)

    wait_for(lambda: not any(Path(f"/proc/{pid}/cmdline").exists() for pid in helpers))
    assert {"leaves", "right"} <= before.keys()
    assert went_on.returncode == 0
    assert set(changed(before, stamps(again))) == SCORES.keys() - before.keys()
    assert scores(again) == SCORES


def test_a_submission_that_vanishes_is_broken_and_the_others_are_graded(again, wait_for):
    """The machine's fault is not the student's, and stops nobody else's grading."""
    shutil.rmtree(again.root / "out")
    run = again.start("grade", "demo", "class", "--out", "out", "--jobs", 1)
    wait_for((again.root / "out/results/leaves.json").exists)

    shutil.rmtree(again.submissions / "wrong")

    said, _ = run.communicate(timeout=60)
    assert run.returncode == 1, said
    assert scores(again) == {**SCORES, "wrong": ""}


def test_an_output_folder_must_be_fit_for_it(again, tmp_path):
    """One that cannot be made, one with other things in it, one of another assignment."""
    home = tmp_path / "home"
    (home / "papers").mkdir(parents=True)
    home.chmod(0o755)
    (again.root / "out/run.json").write_text('{"assignment": "other", "seed": 1}')

    impossible = again.autograder("grade", "demo", "class", "--out", "stdout/out")
    foreign = again.autograder("grade", "demo", "class", "--out", home)
    others = grade(again)

    assert (impossible.returncode, foreign.returncode, others.returncode) == (1, 2, 2)
    assert "the output folder cannot be written: Not a directory" in impossible.stderr
    assert "got one with 'papers'" in foreign.stderr
    assert home.stat().st_mode & 0o777 == 0o755
    assert "holds the grades of 'other', not of 'demo'" in others.stderr
    for run in (impossible, foreign, others):
        assert "choose another with --out DIR" in run.stderr
