"""The pictures in docs/gradescope.md are drawn from a real report, and are not out of date."""

from __future__ import annotations

import importlib.util
import subprocess
import sys
import xml.etree.ElementTree as ET
from pathlib import Path
from types import ModuleType

import pytest

from autograder.gradescope.rows import rows_of
from autograder.gradescope.spec import Report, Row, decode_report, encode_report
from autograder.manifest import find_course
from autograder.results import read_result

ROOT = Path(__file__).parents[3]
PROGRAM = ROOT / "docs" / "draw_gradescope.py"
MOMENTS = ["before", "after"]


@pytest.fixture(scope="module")
def program() -> ModuleType:
    """The program that draws the pictures."""
    spec = importlib.util.spec_from_file_location("draw_gradescope", PROGRAM)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


@pytest.fixture(scope="module")
def report(program: ModuleType) -> Report:
    """The committed report."""
    return decode_report(program.REPORT.read_bytes())


def written_in(svg: str) -> str:
    """Every line of text in a picture, as it is read."""
    root = ET.fromstring(svg)
    lines: dict[float, str] = {}
    for text in root.iter("{http://www.w3.org/2000/svg}text"):
        y = float(text.attrib["y"])
        lines[y] = lines.get(y, "") + (text.text or "")
    return "\n".join(lines[y].replace("\N{NO-BREAK SPACE}", " ") for y in sorted(lines))


@pytest.mark.parametrize("moment", MOMENTS)
def test_the_committed_picture_is_what_the_program_draws(program, report, moment):
    """Whoever changes the report or the program runs `make pictures`."""
    assert program.picture(moment).read_text("utf-8") == program.drawn(report, moment)


def test_the_committed_report_is_what_grading_gives_today(program, report, tmp_path):
    """Rows, points and words on the page are those of the bundled assignment as it is now."""
    assignment = find_course(ROOT, ROOT).assignment(program.ASSIGNMENT)
    example = assignment.examples / program.EXAMPLE
    options = ["--out", tmp_path / "out", "--seed", str(report.extra_data["seed"])]
    command = [sys.executable, "-m", "autograder", "grade", assignment.name, example, *options]

    subprocess.run(command, cwd=ROOT, capture_output=True, check=True)

    result = read_result(tmp_path / "out" / "results" / f"{program.EXAMPLE}.json")
    assert report.tests == rows_of(result, assignment.manifest)


def test_a_hidden_row_is_not_in_the_picture_before_publication(program, report):
    """What the picture shows is what Gradescope would, and the rest comes after."""
    before, after = (written_in(program.drawn(report, moment)) for moment in MOMENTS)
    waiting = [row.name for row in report.tests if row.visibility != "visible"]

    assert len(waiting) > 40
    assert any(row.visibility == "after_due_date" for row in report.tests)
    assert [name for name in waiting if name in before] == []
    assert [name for name in waiting if name not in after] == []
    assert "85 of 100 points" not in before
    assert "Total: 85 of 100 points" in after


def test_a_row_for_staff_is_in_no_picture(program, report):
    """`hidden` is never shown to a student, and then no total is either."""
    secret = Row(name="for staff alone", score=1.0, max_score=1.0, visibility="hidden")
    with_secret = Report(tests=[*report.tests, secret])

    for moment in MOMENTS:
        seen = written_in(program.drawn(with_secret, moment))
        assert "for staff alone" not in seen
        assert "Total: not shown yet" in seen


@pytest.mark.parametrize("moment", MOMENTS)
def test_a_picture_fetches_nothing(program, report, moment):
    """No font, no address: it looks the same offline, and tells nobody who reads it."""
    svg = program.drawn(report, moment).replace('xmlns="http://www.w3.org/2000/svg"', "")
    assert [mark for mark in ("http", "://", "url(", "@import", "href") if mark in svg] == []


def test_markup_in_a_students_words_stays_text(program):
    """Neither SVG nor rich's own markup is read in a message."""
    words = '</text><script>alert(1)</script> & [bold red]"loud"[/]'
    row = Row(name=words, output=words, status="failed", visibility="visible")

    seen = written_in(program.drawn(Report(tests=[row]), "before"))

    assert seen.count(words) == 2


def test_a_report_in_a_file_is_drawn_without_grading(program, report, tmp_path, monkeypatch):
    """The command line's file is the report, kept without the time that it took."""
    given = tmp_path / "given.json"
    given.write_bytes(encode_report(Report(execution_time=3.5, tests=report.tests[:3])))
    monkeypatch.setattr(program, "PICTURES", tmp_path)
    monkeypatch.setattr(program, "REPORT", tmp_path / "results.json")
    monkeypatch.setattr(program.sys, "argv", ["draw_gradescope.py", str(given)])
    monkeypatch.setattr(program, "graded", lambda: pytest.fail("grading was started"))

    program.main()

    kept = decode_report((tmp_path / "results.json").read_bytes())
    assert kept == Report(tests=report.tests[:3])
    for moment in MOMENTS:
        drawn = (tmp_path / f"gradescope-{moment}.svg").read_text("utf-8")
        assert drawn == program.drawn(kept, moment)
