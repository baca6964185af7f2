"""`autograder …` as it is typed: what it prints, what it refuses, and how it exits."""

from __future__ import annotations

import os
import re
import signal
from pathlib import Path

import pytest

WRONG = "def double(x):\n    return 3 * x\n"
ROOT = Path(__file__).resolve().parents[3]
COMMANDS = ("grade", "check", "handout", "doctor")
TELLTALE = (
    "from pathlib import Path\n\nPath(__file__).with_suffix('.was_run').touch()\nraise OSError\n"
)

REFUSED = {
    # what is typed → exit code, what is said
    "an unknown assignment": (("grade", "dmeo", "class"), 2, "choose one of: demo."),
    "a missing folder": (("grade", "demo", "clss"), 2, "there is no such file or folder"),
    "an empty folder": (("grade", "demo", "empty"), 2, "no submission in it"),
    "a file that is no submission": (("grade", "demo", "stray.txt"), 2, "got none of these"),
    "a course that is none": (("grade", "demo", "class", "--course", "class"), 2, "--course DIR"),
    "an unknown moment": (("grade", "demo", "class", "--moment", "tomorrow"), 2, "--moment"),
    "no jobs": (("grade", "demo", "class", "--jobs", "0"), 2, "--jobs"),
    "an output folder in the class": (
        *(("grade", "demo", "class", "--out", "class/out"), 2),
        "the output folder would lie among the submissions",
    ),
    "a class for check": (
        ("check", "demo", "class"),
        2,
        "expected one submission, got a folder of 2",
    ),
    "no such check": (("check", "demo", "class/right", "-k", "zzz"), 2, "no check matches it"),
    "a handout of nothing": (("handout",), 2, "choose one of: demo."),
}


@pytest.fixture(scope="module")
def shared(new_course, tmp_path_factory):
    """A course with a class of two; nobody changes it."""
    course = new_course(tmp_path_factory.mktemp("commands"))
    course.submit("right")
    course.submit("wrong", step1_double=WRONG)
    (course.root / "empty").mkdir()
    course.write("stray.txt", "text")
    return course


@pytest.mark.parametrize("mistake", REFUSED)
def test_a_mistake_in_the_command_is_said_and_nothing_is_graded(shared, mistake):
    """Exit 2, one message without a traceback, and no folder made for results."""
    typed, status, said = REFUSED[mistake]

    run = shared.autograder(*typed)

    assert run.returncode == status
    assert said in run.stderr
    assert "Traceback" not in run.stderr
    assert not (shared.root / "grades").exists()


def test_a_fault_of_the_course_exits_1_and_names_file_key_and_fix(course):
    """It is not the command that has to be mended."""
    course.submit()
    manifest = course.root / "assignments/demo/assignment.toml"
    manifest.write_text(manifest.read_text().replace("points = 60", 'points = "two"'))

    run = course.autograder("grade", "demo", "class")

    assert run.returncode == 1
    assert run.stderr.startswith(
        f'{manifest.resolve()}: expected a number, got "two" - at questions[1].points\n'
        "Fix: write a number, such as `points = 2`. Nothing was graded."
    )


def test_outside_of_a_course_it_says_what_a_course_is(tmp_path, shared):
    """And how to name one."""
    lost = type(shared)(tmp_path)

    run = lost.autograder("grade", "demo", shared.submissions)
    named = lost.autograder("check", "demo", shared.submissions / "right", "--course", shared.root)

    assert run.returncode == 2
    assert "expected a folder that holds assignments, solutions, tests" in run.stderr
    assert named.returncode == 0


def test_check_prints_every_check_of_one_submission(shared):
    """Its question with its number, its worth, its outcome in words, and both texts."""
    run = shared.autograder("check", "demo", "class/wrong")

    assert run.returncode == 0, "a low grade is no error"
    assert "step 1 · double  0 of 40 points" in run.stdout
    assert re.search(r"FAILED +public +0 of 10 +on_paper\n +expected all 2, got", run.stdout)
    assert re.search(r"FAILED +hidden +0 of 30 +any_length\n", run.stdout)
    assert " | values: got float64 array" in run.stdout
    assert re.search(r"passed +hidden +60 of 60 +any_length\n +Step 2 is right; ", run.stdout)
    assert "score: 60 of 100" in run.stdout


def test_check_of_a_part_gives_no_score(shared):
    """The step keeps its number, and nobody takes a part, or its share of points, for the whole."""
    run = shared.autograder("check", "demo", "class/right", "-k", "total")

    assert run.returncode == 0
    assert "step 2 · total" in run.stdout
    assert "double" not in run.stdout
    assert not re.search(r"\d of \d", run.stdout)
    assert "no score: not every check was run" in run.stdout


def test_check_exits_1_when_a_check_is_broken(course):
    """It is the grader that has to be mended."""
    course.grade_with('def test_ours(student):\n    {}["a key"]\n')

    run = course.autograder("check", "demo", course.submit())

    assert run.returncode == 1
    assert "BROKEN" in run.stdout
    assert "score: no score of 100" in run.stdout


def test_a_seed_decides_the_inputs(shared):
    """Another one gives other evidence for the same mistake; none given is 0."""
    runs = [shared.autograder("check", "demo", "class/wrong", "--seed", n) for n in (0, 1)]
    runs.append(shared.autograder("check", "demo", "class/wrong"))

    zero, one, none = (re.findall(r"\| (.*)", run.stdout) for run in runs)
    assert zero == none != one


def test_it_may_be_run_from_inside_a_submission(shared):
    """A file there that is called like a module of ours is not imported in its place."""
    folder = shared.submissions / "right"
    for name in ("numpy", "pytest", "typer", "msgspec", "random", "secrets", "rich"):
        (folder / f"{name}.py").write_text(TELLTALE)

    run = type(shared)(folder).autograder("check", "demo", ".")

    assert run.returncode == 0, run.stderr
    assert "score: 100 of 100" in run.stdout
    assert shared.was_run == []


def test_a_terminal_without_our_signs_still_gets_its_table(shared):
    """What it cannot print is replaced."""
    run = shared.autograder("check", "demo", "class/right", PYTHONIOENCODING="ascii")

    assert run.returncode == 0, run.stderr
    assert "step 1 ? double" in run.stdout


def test_who_stops_it_is_told_how_to_go_on(course, processes_of, wait_for):
    """Ctrl-C ends every process at once, without a traceback, and keeps what is graded."""
    slow = "import time\n\n\ndef double(x):\n    time.sleep(4)\n    return 2 * x\n"
    course.submit("a_right")
    course.submit("slow", step1_double=slow)
    run = course.start("grade", "demo", "class", "--out", "out", "--jobs", 1)
    wait_for((course.root / "out/results/a_right.json").exists)
    helpers = processes_of(run.pid)

    os.killpg(run.pid, signal.SIGINT)  # as a terminal does

    said, _ = run.communicate(timeout=3)
    assert run.returncode == 1
    assert "out: you stopped it\nFix: run the same command again" in said
    assert "Traceback" not in said
    wait_for(lambda: not any(Path(f"/proc/{pid}").exists() for pid in helpers))


@pytest.mark.parametrize("command", COMMANDS)
def test_every_command_shows_an_example(shared, command):
    """At the foot of its help."""
    run = shared.autograder(command, "--help")

    assert run.returncode == 0
    assert f"example: autograder {command}" in " ".join(run.stdout.split())


def test_bare_autograder_lists_its_commands(shared):
    """With what each of them does."""
    run = shared.autograder()

    listed = re.findall(r"^ *(\w+) +\w.*\w\.$", run.stdout + run.stderr, re.M)
    assert [command for command in listed if command in COMMANDS] == list(COMMANDS)


def test_the_doctor_says_what_grading_here_would_say(shared):
    """The same isolation line, its promise in words, and exit 0 where nothing has to be done."""
    run = shared.autograder("doctor")
    graded = shared.autograder("check", "demo", "class/right", "--allow-weak-isolation")

    (line,) = re.findall(r"^isolation: .*$", run.stdout, re.M)
    assert line in graded.stdout
    assert run.returncode == 0
    assert re.search(r"^promise: (strong|medium|weak): ", run.stdout, re.M)
