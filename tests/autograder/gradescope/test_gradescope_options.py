"""tests/<name>/otter_config.json: what a course may ask of otter-grader beside ours."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from autograder.errors import CourseError
from autograder.gradescope.otter_files import otter_config
from autograder.gradescope.package import Options, package

from .packages import members, packable, prove_nothing, required

RATE = {"otter.plugins.builtin.RateLimiting": {"allowed_submissions": 2, "hours": 1}}
OPTIONS = {"plugins": [RATE], "points_possible": 10, "score_threshold": 0.5, "show_hidden": True}
PLUGIN = "autograder.gradescope.plugin.Verdicts"


@pytest.fixture
def course(course, monkeypatch):
    """A course of this test's own that can be packaged; its proof is another test's business."""
    prove_nothing(monkeypatch)
    return packable(course)


def packaged(course) -> dict[str, bytes]:
    """Package the course; the members of its zip by name."""
    return members(package(course.assignment, course.root / "dist", Options()).autograder)


def configure(course, text: str) -> Path:
    """Write tests/demo/otter_config.json."""
    return course.write("tests/demo/otter_config.json", text)


def test_a_courses_own_otter_options_are_added_to_ours(course):
    """Ours comes first among the plugins, so that the others see the verdicts; what otter-grader's
    own plugins need is installed."""
    without = packaged(course)
    configure(course, json.dumps(OPTIONS))

    inside = packaged(course)

    assert json.loads(inside["otter_config.json"]) == {
        "lang": "python",
        "logo": False,
        **OPTIONS,
        "plugins": [PLUGIN, RATE],
    }
    more = (
        required(inside["requirements.txt"].decode()).keys()
        - required(without["requirements.txt"].decode()).keys()
    )
    assert "gspread" in {name.partition("==")[0] for name in more}


def test_our_plugin_is_there_once(course):
    """A second one would find that the student's files are gone already."""
    configure(course, json.dumps({"plugins": [PLUGIN, RATE, {PLUGIN: {}}]}))

    assert otter_config(course.assignment)["plugins"] == [PLUGIN, RATE]


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("{", "got: Input data was truncated"),
        ("", "got: Input data was truncated"),
        ("[]", "got: Expected `object`, got `array`"),
        ("[" * 100_000, "got: maximum recursion depth"),
        ('{"autograder_dir": "/x"}', "unknown field `autograder_dir`"),
        ('{"zips": true}', "unknown field `zips`"),
        ('{"token": "secret"}', "unknown field `token`"),
        ('{"plugins": "a.B"}', r"Expected `array`, got `str` - at `\$.plugins`"),
        ('{"plugins": [3]}', r"got `int` - at `\$.plugins\[0\]`"),
        ('{"plugins": [{}]}', r"at `\$.plugins\[0\]`"),
        ('{"plugins": [{"a.B": {}, "c.D": {}}]}', r"at `\$.plugins\[0\]`"),
        ('{"points_possible": "many"}', r"at `\$.points_possible`"),
        ('{"points_possible": 0}', r"at `\$.points_possible`"),
        ('{"points_possible": NaN}', "JSON is malformed"),
        ('{"score_threshold": 60}', r"at `\$.score_threshold`"),
        ('{"log_level": "loud"}', r"at `\$.log_level`"),
    ],
)
def test_options_that_otter_could_not_use_are_refused(course, text, said):
    """Now, naming the file, and not in every submission of a class."""
    path = configure(course, text)

    with pytest.raises(CourseError, match=said) as caught:
        otter_config(course.assignment)

    assert caught.value.where == str(path)
    assert "these options work here: force_public_test_summary" in caught.value.fix
    assert caught.value.undone == "Nothing was packaged."


def test_an_editors_mark_before_the_options_is_no_fault(course):
    """Some put one at the beginning of every file."""
    configure(course, '\ufeff{"score_threshold": 0.5}')

    assert otter_config(course.assignment)["score_threshold"] == 0.5


@pytest.mark.parametrize(
    ("plugin", "said"),
    [
        ("nowhere.Plugin", "ModuleNotFoundError: No module named 'nowhere'"),
        ("json.Plugin", "AttributeError: module 'json' has no attribute 'Plugin'"),
        ("json.dumps", r"TypeError: dumps\(\)"),
        ("Plugin", "ValueError: Empty module name"),
        ("course_plugin.Raises", "ZeroDivisionError: division by zero"),
        ("course_plugin_with_a_mistake.Any", "SyntaxError: invalid syntax"),
    ],
)
def test_a_plugin_that_otter_cannot_use_is_refused(course, tmp_path, monkeypatch, plugin, said):
    """Naming the file and what its import or its start raised."""
    course.write(
        "own/course_plugin.py", "class Raises:\n    def __init__(self, *_):\n        1 / 0\n"
    )
    course.write("own/course_plugin_with_a_mistake.py", "return return\n")
    monkeypatch.syspath_prepend(course.root / "own")
    path = configure(course, json.dumps({"plugins": [plugin]}))

    with pytest.raises(CourseError, match=said) as caught:
        packaged(course)

    assert caught.value.where == str(path)
    assert not (course.root / "dist").exists()


def test_what_is_never_shown_is_not_shown_by_otter(course):
    """`show_hidden` would show it once grades are published."""
    manifest = course.root / "assignments/demo/assignment.toml"
    manifest.write_text(manifest.read_text() + '\n[feedback]\nhidden_points = "never"\n')
    configure(course, json.dumps({"show_hidden": True}))

    with pytest.raises(CourseError, match='hidden_points = "never"'):
        otter_config(course.assignment)


@pytest.mark.parametrize(
    "plugin",
    [
        "otter.plugins.builtin.RateLimiting",
        {"otter.plugins.builtin.RateLimiting": {"allowed_submissions": 3}},
        {"otter.plugins.builtin.RateLimiting": {"hours": 24}},
        {"otter.plugins.builtin.RateLimiting": {"allowed_submissions": "3", "hours": 24}},
    ],
)
def test_a_rate_limit_needs_a_number_and_a_period(course, plugin):
    """Without the one every submission would fail, without the other none would be limited."""
    configure(course, json.dumps({"plugins": [plugin]}))

    with pytest.raises(CourseError, match="allowed_submissions"):
        otter_config(course.assignment)
