"""A class folder as a real one looks: whatever lies in it, everybody else is graded."""

from __future__ import annotations

import csv
import zipfile

import pytest

DOUBLE = '"""Doubles — twice."""\n\n\ndef double(x):\n    return 2 * x\n'
TOTAL = """
import numpy as np

from step1_double import double


def total(x):
    return np.sum(double(x), axis=-1)
"""
STEP1, STEP2 = "step1_double.py", "step2_total.py"
ESCAPE = "\x1b[31m\x1b]0;title\x07"
GIGABYTE = 1 << 30


def zipped(path, members):
    with zipfile.ZipFile(path, "w") as archive:
        for name, text in members.items():
            archive.writestr(name, text)


def fill(course):
    """One entry of every kind that a download folder holds."""
    own = course.submissions

    def submit(name, **files):
        folder = own / name
        folder.mkdir(parents=True)
        for file, text in {STEP1: DOUBLE, STEP2: TOTAL, **files}.items():
            if text is not None:
                data = text if isinstance(text, bytes) else text.encode()
                (folder / file).write_bytes(data)
        return folder

    submit("a_right_one")
    submit("bom", **{STEP1: b"\xef\xbb\xbf" + DOUBLE.encode()})
    submit("crlf", **{STEP1: DOUBLE.replace("\n", "\r\n")})
    submit("numbered", **{STEP1: None, "step1_double (1).py": DOUBLE})
    submit("text_file", **{STEP1: None, f"{STEP1}.txt": DOUBLE})
    submit("utf16", **{STEP1: DOUBLE.encode("utf-16")})
    submit("no_text", **{STEP1: bytes(range(256))})
    (submit("a_folder", **{STEP1: None}) / STEP1).mkdir()
    (submit("a_link", **{STEP1: None}) / STEP1).symlink_to(own / "a_right_one" / STEP1)
    with (submit("huge", **{STEP1: None}) / STEP1).open("wb") as file:
        file.truncate(2 * GIGABYTE)
    submit(f"{ESCAPE}colours", **{STEP1: f"raise ValueError({ESCAPE!r})"})
    submit("shadows", **{"numpy.py": "raise SystemExit", "conftest.py": "raise SystemExit"})
    (own / "nothing").mkdir()
    (own / "no_zip.zip").write_bytes(b"PK\x03\x04 but no zip")
    junk = {f"__MACOSX/._{STEP1}": "x", f"__MACOSX/mac/._{STEP1}": "x"}
    zipped(own / "mac.zip", {f"mac/{STEP1}": DOUBLE, f"mac/{STEP2}": TOTAL, **junk})
    zipped(own / "climbs.zip", {f"../{STEP1}": "raise SystemExit", STEP1: DOUBLE, STEP2: TOTAL})
    (own / "notes.txt").write_text("not a submission")
    (own / "elsewhere").symlink_to(own / "a_right_one")


@pytest.fixture(scope="module")
def graded(new_course, tmp_path_factory):
    """The class, graded: the course, how the program ended, and the rows of grades.csv."""
    course = new_course(tmp_path_factory.mktemp("odd"))
    fill(course)
    run = course.autograder("grade", "demo", "class", "--out", "out")
    assert run.returncode == 0, run.stderr
    with (course.root / "out/grades.csv").open(encoding="utf-8-sig", newline="") as file:
        return course, run, {row["submission"]: row for row in csv.DictReader(file)}


@pytest.mark.parametrize("name", ["a_right_one", "bom", "crlf"])
def test_what_a_computer_adds_to_a_right_answer_costs_nothing(graded, name):
    """A mark before the text, another end of line: full marks, and nothing to say."""
    _, _, grades = graded

    assert (grades[name]["score"], grades[name]["notes"]) == ("100", "")


@pytest.mark.parametrize(
    ("name", "note"),
    [
        ("numbered", "step1_double (1).py was taken for step1_double.py."),
        ("text_file", "step1_double.py.txt was taken for step1_double.py."),
        ("utf16", "step1_double.py was UTF-16; read all the same."),
        ("climbs", "Left alone, since their names point out of the zip: ../step1_double.py."),
        ("shadows", "Left alone, since only the assignment's own files are graded: numpy.py."),
        ("mac", ""),
    ],
)
def test_what_a_person_would_accept_is_accepted_and_noted(graded, name, note):
    """Full marks, and student and instructor read what was done with it."""
    course, _, grades = graded

    assert grades[name]["score"] == "100"
    assert grades[name]["notes"].startswith(note)
    page = " ".join((course.root / f"out/feedback/{name}.md").read_text().split())
    assert note in page


@pytest.mark.parametrize(
    ("name", "said"),
    [
        ("a_folder", "step1_double.py is a folder, not a file."),
        ("a_link", "step1_double.py is a link or a special file."),
        ("huge", "step1_double.py is larger than 256 KiB."),
        ("no_text", "step1_double.py is not UTF-8 text."),
        ("no_zip", "no_zip.zip is no zip, or is damaged or cut short."),
        ("nothing", "step1_double.py is missing from what was handed in."),
    ],
)
def test_what_cannot_be_read_is_said_with_what_to_hand_in(graded, name, said):
    """The step has no points, and the student reads why, in the table's own words; what was handed
    in of the next one has its own."""
    course, run, grades = graded

    assert grades[name]["double"] in ("0", "")
    assert grades[name]["score"] == ("0" if name in ("no_zip", "nothing") else "60")
    assert f"double: {said}" in run.stdout
    assert said in (course.root / f"out/feedback/{name}.md").read_text()


def test_what_is_no_submission_is_named_and_left_alone(graded):
    """A loose file and a link beside the submissions."""
    _, run, grades = graded

    line = "left alone, no submission: notes.txt, elsewhere (a link or a special file)"
    assert line in run.stdout
    assert len(grades) == 16
    assert "class: a folder of 16 submissions" in run.stdout


def test_no_name_and_no_message_reaches_the_terminal_as_a_command(graded):
    """Colours, titles and bells of a student's are gone from the screen and from every file."""
    course, run, grades = graded

    texts = [run.stdout, run.stderr, *(path.read_text() for path in course.root.glob("out/*/*"))]
    assert not [text for text in texts if "\x1b" in text or "\x07" in text]
    assert "[31m]0;titlecolours" in grades


def test_nothing_beside_the_steps_was_run_or_written(graded):
    """Not a student's numpy.py or conftest.py, and no member of a zip outside of it."""
    course, _, _ = graded

    assert course.was_run == []
    assert not (course.root / STEP1).exists()
    assert not (course.submissions.parent / STEP1).exists()
