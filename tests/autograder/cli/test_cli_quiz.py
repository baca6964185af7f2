"""`autograder quiz` as it is typed: two pages in a folder of one's own, or none and why."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from autograder.cli.quiz import write_quiz
from autograder.errors import CourseError

MISTAKES = """from autograder.grading import mistake


@mistake("double", kind="thrice", symptom="Too much. Why?", answer="Take two.")
def takes_three(x):
    return 3 * x


@mistake("double", kind="a square", symptom="It grows. Why?", answer="Add, do not multiply.")
def takes_the_square(x):
    return x * x


@mistake("double", kind="nothing added", symptom="It stays. Why?", answer="Add it once more.")
def takes_one(x):
    return 1 * x
"""
PAGES = ["quiz-key.html", "quiz.html"]
REFUSED = {
    # what is typed → exit code, what is said
    "more than there are": (("--questions", 4), 1, "or ask for fewer with --questions 3."),
    "none": (("--questions", 0), 2, "--questions"),
    "a folder of something else": (("--out", "class"), 2, "got one with 'stray.txt'"),
    "a folder in a file": (("--out", "class/stray.txt/quiz"), 1, "the folder for the sheet cannot"),
    "a file": (("--out", "class/stray.txt"), 1, "the folder for the sheet cannot be written"),
}


@pytest.fixture
def course(course):
    """A course of this test's own with three known mistakes of one question."""
    course.write("tests/demo/mistakes.py", MISTAKES)
    course.write("class/stray.txt", "somebody's")
    return course


def pages(folder: Path) -> dict[str, bytes]:
    """What stands in a folder."""
    return {path.name: path.read_bytes() for path in sorted(folder.iterdir())}


def test_sheet_and_key_lie_in_a_folder_that_is_closed_to_others(course):
    """In quizzes/ unless another is named, which git ignores as it does grades/."""
    run = course.autograder("quiz", "demo", "--seed", 7, "--questions", 2)

    folder = course.root / "quizzes/demo"
    assert (run.returncode, run.stderr) == (0, "")
    assert run.stdout == (
        f"wrote {folder.resolve()}: quiz.html, quiz-key.html; seed 7, 2 items, 4 minutes\n"
    )
    assert list(pages(folder)) == PAGES
    assert folder.stat().st_mode & 0o777 == 0o700
    assert course.was_run == []
    ignored = (Path(__file__).resolve().parents[3] / ".gitignore").read_text().split()
    assert {"grades/", "quizzes/"} <= set(ignored)


def test_a_seed_that_is_drawn_can_be_typed_again(course, capsys):
    """It is printed, and gives the same bytes in another folder."""
    write_quiz(course.assignment, course.root / "one", seed=None, count=2)
    (seed,) = re.findall(r"seed (\d+),", capsys.readouterr().out)

    write_quiz(course.assignment, course.root / "two", seed=int(seed), count=2)

    assert pages(course.root / "one") == pages(course.root / "two")
    assert f"seed {seed}<".encode() in pages(course.root / "one")["quiz.html"]


def test_a_new_sheet_takes_the_place_of_an_earlier_one(course):
    """With its key."""
    for seed in (1, 2):
        write_quiz(course.assignment, course.root / "out", seed=seed, count=1)

    assert all(b"seed 2<" in page for page in pages(course.root / "out").values())


@pytest.mark.parametrize("typed", REFUSED)
def test_what_cannot_be_made_is_said_and_nothing_is_written(course, typed):
    """One message without a traceback; no folder is made, and none of somebody's is changed."""
    options, status, said = REFUSED[typed]
    mode = (course.root / "class").stat().st_mode

    run = course.autograder("quiz", "demo", *options)

    assert run.returncode == status
    assert said in run.stderr
    assert "Traceback" not in run.stderr
    assert not (course.root / "quizzes").exists()
    assert pages(course.root / "class") == {"stray.txt": b"somebody's"}
    assert (course.root / "class").stat().st_mode == mode


def test_a_sheet_is_never_left_beside_the_key_of_another(course):
    """When one page cannot be written the other stays, or is again, as it was."""
    out = course.root / "out"
    write_quiz(course.assignment, out, seed=1, count=1)
    before = (out / "quiz-key.html").read_bytes()
    (out / "quiz.html").unlink()
    (out / "quiz.html").mkdir()

    with pytest.raises(CourseError, match=r"quiz\.html: could not be written"):
        write_quiz(course.assignment, out, seed=2, count=1)

    assert (out / "quiz-key.html").read_bytes() == before
    assert sorted(path.name for path in out.iterdir()) == PAGES


def test_its_help_shows_an_example(course):
    """At the foot, as of every command."""
    run = course.autograder("quiz", "--help")

    assert "example: autograder quiz self_attention" in " ".join(run.stdout.split())
