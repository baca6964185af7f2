"""The output folder: what is kept is known again, and what a killed run left behind is removed."""

from __future__ import annotations

import os

import msgspec
import pytest

from autograder.batch import OutputFolder
from autograder.errors import CourseError
from autograder.results import Environment, Isolation, Result, encode_result

ISOLATION = Isolation(promise="strong", layers=[])
HERE = Environment(python="3", numpy="2", torch=None, device="cpu", isolation=ISOLATION)
GRADED = Result(
    assignment="demo",
    submission="alice",
    key="key",
    submitters=[],
    submitted_at=None,
    seed=1,
    score=60.0,
    max_score=100.0,
    questions=[],
    environment=HERE,
    seconds=1.0,
    notes=[],
)


@pytest.fixture
def kept(tmp_path):
    """A folder with one result."""
    folder = OutputFolder(tmp_path / "out")
    with folder.locked():
        folder.keep(GRADED)
    return folder.root


def opened(root):
    """The same folder, as a later run finds it."""
    return OutputFolder(root)


def test_what_was_kept_is_known_again(kept):
    """By a later run, for this key alone."""
    folder = opened(kept)

    assert folder.finished("alice", "key") == GRADED
    assert folder.finished("alice", "another key") is None
    assert folder.finished("bob", "key") is None
    assert folder.changed == []


@pytest.mark.parametrize(
    "edit",
    [
        lambda data: data[:-2],
        lambda data: data.replace(b'"score": 60.0', b'"score": 100.0'),
        lambda data: data + b"\n",
        lambda data: b"",
        lambda data: b"\xff\xfe",
    ],
    ids=["cut short", "another score", "a line more", "emptied", "no text"],
)
def test_a_result_that_is_not_as_it_was_written_is_graded_again(kept, edit):
    """Whatever was done to it, and the instructor is told whose it was."""
    path = opened(kept).result("alice")
    path.write_bytes(edit(path.read_bytes()))
    folder = opened(kept)

    assert folder.finished("alice", "key") is None
    assert folder.changed == ["alice"]


def test_results_are_read_when_they_are_asked_for(kept):
    """Those of ten thousand submissions are not held in memory."""
    folder = opened(kept)
    results = folder.kept(["alice", "bob"])

    folder.keep(msgspec.structs.replace(GRADED, score=70.0))

    assert len(results) == 2
    assert [result.score for result in results[:1]] == [70.0]
    with pytest.raises(CourseError, match=r"bob\.json"):
        list(results)


def test_a_result_that_nobody_vouches_for_is_graded_again(kept):
    """One that was copied here: it is no change of anybody's, so nothing is said."""
    folder = opened(kept)
    other = msgspec.structs.replace(GRADED, submission="bob")
    folder.result("bob").write_bytes(encode_result(other))

    assert folder.finished("bob", "key") is None
    assert folder.changed == []


def test_a_killed_run_may_have_left_half_a_line(kept):
    """What was vouched for before it still is, and so is what comes after it."""
    folder = opened(kept)
    with (kept / ".written").open("ab") as file:
        file.write(b"0123abcd")
    with folder.locked():
        folder.keep(msgspec.structs.replace(GRADED, submission="bob"))

    assert opened(kept).finished("alice", "key") is not None
    assert opened(kept).finished("bob", "key") is not None


def test_what_was_graded_often_takes_one_line(kept):
    """The list of what was written does not grow with the number of runs."""
    for _ in range(3):
        with opened(kept).locked():
            opened(kept).keep(GRADED)

    with opened(kept).locked():
        assert len((kept / ".written").read_text().splitlines()) == 1


def test_a_run_that_is_killed_while_it_writes_leaves_nothing_for_good(kept):
    """The next one removes its temporary files, and nothing else."""
    for place in (kept, kept / "results", kept / "feedback"):
        place.mkdir(exist_ok=True)
        (place / ".0123456789abcdef.tmp").write_text("half")
    before = (kept / "results/alice.json").read_bytes()

    with opened(kept).locked():
        left = [name for _, _, names in os.walk(kept) for name in names]

    assert sorted(left) == [".lock", ".written", "alice.json"]
    assert (kept / "results/alice.json").read_bytes() == before


def test_a_list_that_cannot_be_written_ends_the_run(kept):
    """A full disk is told as such, with what to do."""
    folder = opened(kept)
    (kept / ".written").unlink()
    (kept / ".written").mkdir()

    with pytest.raises(CourseError, match="run the same command again"):
        folder.keep(GRADED)
