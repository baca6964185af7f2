"""The two zips on the disk: whole, and of one run, whoever else is writing there."""

from __future__ import annotations

import subprocess
import sys

import pytest

from autograder.errors import CourseError
from autograder.gradescope.written import write_zips

from .packages import members, packable

AUTOGRADER, HANDOUT = "demo-autograder.zip", "demo-handout.zip"
TIMES = 60
WRITES = """
import sys
from pathlib import Path
from autograder.gradescope.written import write_zips

out, letter, times = Path(sys.argv[1]), sys.argv[2].encode(), int(sys.argv[3])
for _ in range(times):
    zips = {"demo-autograder.zip": letter * 500_000, "demo-handout.zip": letter * 1_000}
    write_zips({out / name: data for name, data in zips.items()})
"""


def test_of_two_runs_at_once_each_writes_both_zips_whole(tmp_path):
    """Neither fails, no zip is mixed, no file is left, and both zips are of the same run."""
    words = [sys.executable, "-c", WRITES, str(tmp_path / "dist")]
    runs = [
        subprocess.Popen([*words, letter, str(TIMES)], stderr=subprocess.PIPE, text=True)
        for letter in "ab"
    ]

    said = [run.communicate(timeout=120)[1] for run in runs]

    assert ([run.returncode for run in runs], said) == ([0, 0], ["", ""])
    written = {path.name: path.read_bytes() for path in (tmp_path / "dist").iterdir()}
    assert written.keys() == {AUTOGRADER, HANDOUT}
    letters = set(written[AUTOGRADER] + written[HANDOUT])
    assert len(letters) == 1
    assert len(written[AUTOGRADER]) == 500_000


def test_two_packages_at_once_are_two_whole_zips(course):
    """As they are typed, in one folder: both say that they wrote, and what lies there opens."""
    packable(course)
    runs = [course.start("package", "demo") for _ in range(2)]

    said = [run.communicate(timeout=120)[0] for run in runs]

    assert [run.returncode for run in runs] == [0, 0], said
    assert {path.name for path in (course.root / "dist").iterdir()} == {AUTOGRADER, HANDOUT}
    assert "package.json" in members(course.root / "dist" / AUTOGRADER)
    assert "demo/assignment.toml" in members(course.root / "dist" / HANDOUT)


def test_without_locks_a_zip_is_written_all_the_same(tmp_path, monkeypatch):
    """Not every network's disk has them."""

    def refuse(*_):
        raise OSError("no locks")

    monkeypatch.setattr("fcntl.flock", refuse)

    write_zips({tmp_path / AUTOGRADER: b"a"})

    assert (tmp_path / AUTOGRADER).read_bytes() == b"a"


def test_what_takes_the_waiting_zip_away_is_said(tmp_path, monkeypatch):
    """An error for people, not a traceback."""
    monkeypatch.setattr("autograder.gradescope.written.write_atomically", lambda path, data: None)

    with pytest.raises(CourseError, match=r"could not be put in its place: No such file") as caught:
        write_zips({tmp_path / AUTOGRADER: b"a"})

    assert "Use none of the zips there" in str(caught.value)
