"""A folder that was handed in: only its own text files are read, and every refusal says why."""

from __future__ import annotations

import os
import socket

import pytest

from autograder.errors import CourseError
from autograder.submissions import find_submissions
from autograder.submissions.sources import ENTRY_LIMIT, FILE_LIMIT

STEP1, STEP2 = "step1_projections.py", "step2_scores.py"
SECRET = "the hidden graders\n"


@pytest.fixture
def alice(tree):
    """A submission whose first step a test replaces."""
    return tree("alice", {STEP2: "y = 2\n"})


def test_the_files_come_back_as_text(tree, staged):
    """Marks and line endings of another system are gone; the rest is as it was."""
    folder = tree("alice", {STEP1: b"\xef\xbb\xbf# caf\xc3\xa9\r\nx = 1\r", STEP2: ""})

    result = staged(folder)

    assert result.files == {STEP1: "# café\nx = 1\n", STEP2: ""}
    assert (result.problems, result.notes, result.submission) == ({}, (), "alice")


def test_a_name_a_computer_made_is_accepted_and_noted(tree, staged):
    """Student and instructor read which file was taken for which."""
    folder = tree("alice", {"step1_projections (1).py": "x = 1\n", "Step2_Scores.py": "y = 2\n"})

    result = staged(folder)

    assert result.files == {STEP1: "x = 1\n", STEP2: "y = 2\n"}
    assert result.notes == (
        f"step1_projections (1).py was taken for {STEP1}.",
        f"Step2_Scores.py was taken for {STEP2}.",
    )


def test_copies_beside_the_exact_name_are_not_used(tree, staged):
    """The exact name is graded, even where a copy may be newer; the note says so."""
    folder = tree("alice", {STEP1: "x = 1\n", STEP2: "", "step1_projections-1.py": "x = 9\n"})

    result = staged(folder)

    assert result.files[STEP1] == "x = 1\n"
    assert result.notes == (f"Not used, since {STEP1} is there: step1_projections-1.py.",)


def test_several_candidates_cost_only_their_own_file(tree, staged):
    """The student is asked for one file of the exact name; the other step is graded."""
    copies = {"step1_projections (1).py": "", "step1_projections (2).py": ""}
    folder = tree("alice", copies | {STEP2: "y = 2\n"})

    result = staged(folder)

    assert result.files == {STEP2: "y = 2\n"}
    assert result.problems == {
        STEP1: f"{STEP1} is missing, and several files could be it: step1_projections (1).py, "
        f"step1_projections (2).py. Hand in one of them, named {STEP1}."
    }


def make_link(path, outside):
    path.symlink_to(outside)


def make_dangling_link(path, outside):
    path.symlink_to(outside / "nothing")


def make_pipe(path, outside):
    os.mkfifo(path)


def make_socket(path, outside):
    with socket.socket(socket.AF_UNIX) as server:
        server.bind(str(path))


def make_folder(path, outside):
    (path / "inner").mkdir(parents=True)


def make_sparse(path, outside):
    path.touch()
    os.truncate(path, 2 * 1024**3)


def make_too_long(path, outside):
    path.write_bytes(b"#" * (FILE_LIMIT + 1))


def make_binary(path, outside):
    path.write_bytes(b"\xff\xfe\xff\x00\xd8")


@pytest.mark.parametrize(
    ("make", "symptom"),
    [
        (make_link, "is a link or a special file. Hand in the file itself."),
        (make_dangling_link, "is a link or a special file. Hand in the file itself."),
        (make_pipe, "is a link or a special file. Hand in the file itself."),
        (make_socket, "is a link or a special file. Hand in the file itself."),
        (make_folder, "is a folder, not a file. Hand in the file itself."),
        (make_sparse, "is larger than 256 KiB."),
        (make_too_long, "is larger than 256 KiB."),
        (make_binary, "is not UTF-16 text. Save it as UTF-8 text and hand it in again."),
    ],
)
def test_what_is_no_source_file_costs_only_its_own_step(
    alice, tmp_path, staged, monkeypatch, make, symptom
):
    """Neither read nor waited for; the sentence says what to hand in; the other step is graded."""
    outside = tmp_path / "secret.py"
    outside.write_text(SECRET)
    monkeypatch.chdir(alice)  # a socket's path is short
    make(alice.__class__(STEP1), outside)

    result = staged(alice)

    assert result.files == {STEP2: "y = 2\n"}
    assert result.problems[STEP1].startswith(f"{STEP1} {symptom}")
    assert str(tmp_path) not in str((result.problems, result.notes))


def test_a_file_of_exactly_the_limit_is_read(alice, staged):
    """The limit is what it says."""
    (alice / STEP1).write_bytes(b"#" * FILE_LIMIT)

    assert len(staged(alice).files[STEP1]) == FILE_LIMIT


def test_a_huge_file_costs_no_memory(alice, staged, peak):
    """No more is read than the limit and one byte."""
    make_sparse(alice / STEP1, None)

    assert peak(lambda: staged(alice)) < 8 * FILE_LIMIT


def test_a_file_that_may_not_be_opened_says_so(alice, staged):
    """Root reads it all the same; anybody else is told about permissions, not given an error."""
    (alice / STEP1).write_text("x = 1\n")
    (alice / STEP1).chmod(0)

    result = staged(alice)

    if STEP1 in result.files:
        assert os.access(alice / STEP1, os.R_OK)
    else:
        assert "its permissions forbid it" in result.problems[STEP1]
    assert result.files[STEP2] == "y = 2\n"


def test_a_folder_that_may_not_be_opened_is_refused(tree, files):
    """One student's permissions do not stop the class."""
    folder = tree("class", {"alice": {STEP1: "x = 1\n"}, "bob": {STEP1: "x = 1\n"}})
    (folder / "alice").chmod(0)

    alice, bob = (s.stage() for s in find_submissions(folder, files).submissions)
    (folder / "alice").chmod(0o700)

    assert bob.files == {STEP1: "x = 1\n"}
    assert alice.files == bob.files or "permissions forbid it" in alice.notes[0]


@pytest.mark.parametrize(
    ("content", "found"),
    [
        ({"main.py": "", "notes.ipynb": "", ".git": {}}, "main.py, notes.ipynb"),
        (
            {"a": {"b": {STEP1: ""}}, "x\u202eyp.\n": ""},
            "a/, xyp. (one folder down is looked at, no deeper)",
        ),
        ({"main.py": "", "pictures.zip": b"PK\x05\x06" + bytes(18)}, "main.py, pictures.zip"),
        ({"main.py": "", "broken.zip": b"PK"}, "broken.zip, main.py"),
        ({}, "nothing"),
    ],
)
def test_a_submission_without_any_file_says_what_was_found(tree, files, content, found):
    """It is refused, not ignored: its student must learn why."""
    folder = tree("class", {"eve": content})

    (eve,) = (submission.stage() for submission in find_submissions(folder, files).submissions)

    assert eve.refused
    assert eve.notes == (f"None of the assignment's files was handed in; found: {found}.",)
    assert eve.problems[STEP1] == f"{STEP1} is missing from what was handed in."


def test_a_submission_of_which_nothing_can_be_read_says_why(tree, staged):
    """The reasons stand in its notes too, which are all that a refused submission has."""
    result = staged(tree("alice", {STEP1: b"\xe9", "helper.py": ""}))

    assert result.refused
    assert result.notes == (result.problems[STEP1], "Also found, and left alone: helper.py.")


def test_other_source_files_are_left_alone_and_named(tree, staged):
    """A numpy.py cannot shadow numpy, and a helper module is missed by its student otherwise."""
    handed_in = {STEP1: "", STEP2: "", "numpy.py": "", "README.md": "", "test_mine.py": ""}

    result = staged(tree("alice", handed_in))

    assert set(result.files) == {STEP1, STEP2}
    assert result.notes == (
        "Left alone, since only the assignment's own files are graded: numpy.py.",
    )


@pytest.mark.parametrize("place", ["src", "work.zip"])
def test_work_one_level_deeper_is_found_beside_other_files(tree, zipped, files, place):
    """A class's platform may put what was uploaded, a zip perhaps, into a folder a student."""
    alice = {"README.md": ""} | ({"src": {STEP1: "x = 1\n"}} if place == "src" else {})
    folder = tree("class", {"alice": alice, "bob": {}})
    if place == "work.zip":
        zipped(place, [("deeper/" + STEP1, "x = 1\n")], parent=folder / "alice")

    result = find_submissions(folder, files).submissions[0].stage()

    assert result.files == {STEP1: "x = 1\n"}


def test_two_folders_of_work_are_not_chosen_among(tree, files):
    """Which of them counts only the student knows."""
    folder = tree("class", {"alice": {"old": {STEP1: ""}, "new": {STEP1: ""}}, "bob": {}})

    result = find_submissions(folder, files).submissions[0].stage()

    assert result.refused
    assert "stand in several folders: new, old. Hand in one set" in result.problems[STEP1]


def test_a_flooded_folder_is_refused(tree, staged, tmp_path):
    """A bounded number of names is looked at."""
    folder = tree("class", {"alice": {STEP1: ""}, "x.txt": ""})
    for number in range(ENTRY_LIMIT):
        (folder / "alice" / f"data{number}").touch()

    result = staged(folder)

    assert result.refused
    assert "holds more than 2,000 files" in result.notes[0]


def test_a_submission_that_vanished_is_not_the_students_fault(tree, files):
    """It gets no score of 0: the instructor reads which one was not graded."""
    folder = tree("class", {"alice": {STEP1: ""}})
    (submission,) = find_submissions(folder / "alice", files).submissions
    (folder / "alice" / STEP1).unlink()
    (folder / "alice").rmdir()

    with pytest.raises(CourseError, match="could not be read") as caught:
        submission.stage()

    assert caught.value.undone == "This submission was not graded."
