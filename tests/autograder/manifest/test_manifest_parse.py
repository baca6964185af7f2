"""assignment.toml: what is wrong is named with its place, what was got and a fix."""

from __future__ import annotations

import contextlib

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from autograder.errors import CourseError
from autograder.manifest import Feedback, Given, Limits, Manifest, Question, parse_manifest
from autograder.manifest.explain import FIXES
from autograder.manifest.schema import QuestionLimits

GOOD = """
name = "demo"
title = "Two steps"
packages = ["numpy"]

[limits]
seconds = 5

[feedback]
hints = "now"

[[questions]]
name = "scores"
title = "Scores"
file = "step1_scores.py"
functions = ["attention_scores"]
points = 40

[[questions]]
name = "scaling"
title = "Scaling"
file = "step2_scaling.py"
functions = ["scale_scores"]
points = 60
needs = ["scores"]
"""
SECOND = 'needs = ["scores"]'

MISTAKES = [
    # line as it is, line as it was written; place, what was got, and what to write
    ("points = 60", 'points = "two"', "questions[1].points", '"two"', "points = 2"),
    ("points = 60", "points = true", "questions[1].points", "true", "points = 2"),
    ("points = 60", "points = [60]", "questions[1].points", "a list", "points = 2"),
    ("points = 60", "points = 0", "questions[1].points", "0", "points = 2"),
    ("points = 60", "points = inf", "questions[1].points", "Infinity", "points = 2"),
    ("points = 60", "points = nan", "questions[1].points", "NaN", "points = 2"),
    ("points = 60", "points = 0.125", "questions[1].points", "0.125", "two decimals"),
    ("points = 60", "pints = 60", "questions[1]", "pints", "spelling"),
    ("points = 60", "", "questions[1]", "points", "points = 2"),
    ('title = "Scaling"', "title = 3", "questions[1].title", "3", "title = "),
    ('title = "Two steps"', 'title = ""', "title", '""', "title = "),
    ('name = "scaling"', 'name = "Scaling it"', "questions[1].name", "Scaling it", "lower-case"),
    ('name = "scaling"', 'name = "scores"', "questions[1].name", "scores", "of its own"),
    ("step2_scaling.py", "../x.py", "questions[1].file", "../x.py", "file = "),
    ("step2_scaling.py", "step1_scores.py", "questions[1].file", "step1_scores", "of its own"),
    ("step2_scaling.py", "Step1_Scores.py", "questions[1].file", "Step1_Scores", "of its own"),
    ("step2_scaling.py", "step3_scaling.py", "questions[1].file", "step3", "place in the list"),
    ("step2_scaling.py", "random.py", "questions[1].file", "random.py", "step2_scaling.py"),
    ("step2_scaling.py", "numpy.py", "questions[1].file", "numpy.py", "step2_scaling.py"),
    ("step2_scaling.py", "lambda.py", "questions[1].file", "lambda.py", "step2_scaling.py"),
    ("step2_scaling.py", "test_it.py", "questions[1].file", "test_it.py", "step2_scaling.py"),
    ('["scale_scores"]', '"scale_scores"', "questions[1].functions", "scale_scores", "a list"),
    ('["scale_scores"]', "[]", "questions[1].functions", "length", "a list"),
    ('["scale_scores"]', "[7]", "questions[1].functions[0]", "7", "a list"),
    ('["scale_scores"]', '["f()"]', "questions[1].functions", "f()", "parentheses"),
    ('["scale_scores"]', '["_f"]', "questions[1].functions", "_f", "underscore"),
    ('["scale_scores"]', '["attention_scores"]', "questions[1].functions", "attention", "'scores'"),
    (SECOND, 'needs = ["softmax"]', "questions[1].needs", "softmax", "above"),
    (SECOND, 'needs = ["scaling"]', "questions[1].needs", "scaling", "above"),
    (SECOND, "follow_through = 50", "questions[1].follow_through", "50", "from 0 to 1"),
    (SECOND, "follow_through = nan", "questions[1].follow_through", "NaN", "from 0 to 1"),
    (SECOND, 'enabled = "no"', "questions[1].enabled", '"no"', "enabled = true"),
    (SECOND, "limits = 3", "questions[1].limits", "3", "[limits]"),
    (SECOND, "limits = { memory_mb = 1 }", "questions[1].limits.memory_mb", "1", "memory_mb = 512"),
    ("seconds = 5", 'seconds = "5"', "limits.seconds", '"5"', "seconds = 10"),
    ("seconds = 5", "seconds = 1e300", "limits.seconds", "1e+300", "seconds = 10"),
    ("seconds = 5", "cpu_seconds = 1.5", "limits.cpu_seconds", "1.5", "cpu_seconds = 60"),
    ('hints = "now"', 'hints = "soon"', "feedback.hints", '"soon"', "after_published"),
    ('["numpy"]', '["jax"]', "packages[0]", '"jax"', "others cannot be graded"),
    ("[[questions]]", "[questions]", "", "TOML", "the line that it names"),
    ("points = 60", "points = 60\npoints = 61", "", "overwrite", "the line that it names"),
    ("points = 60", f"points = {'1' * 5000}", "", "TOML", "the line that it names"),
    ("points = 60", f"points = {'[' * 9000}", "", "TOML", "the line that it names"),
]


def keys_of(*structs: type[msgspec.Struct]) -> set[str]:
    return {field.name for struct in structs for field in msgspec.structs.fields(struct)}


@pytest.mark.parametrize(("line", "written", "place", "got", "fix"), MISTAKES)
def test_a_mistake_is_named_with_its_place_what_was_got_and_a_fix(line, written, place, got, fix):
    """An instructor reads which line to change, and that nothing was graded because of it."""
    assert line in GOOD

    with pytest.raises(CourseError) as caught:
        parse_manifest(GOOD.replace(line, written), "course/assignment.toml")

    error = caught.value
    assert str(error).startswith("course/assignment.toml: ")
    assert f" - at {place}" in f"{error.problem}\n" if place else " - at " not in error.problem
    assert got in error.problem
    assert fix in error.fix
    assert str(error).endswith("Nothing was graded.")
    assert len(str(error)) < 500


ODD = {
    "an escape": r'"a\u001b[31mb"',
    "a line break": r'"a\nb"',
    "two lines": '"""a\nb"""',
    "a return": r'"a\rb"',
    "a tab": '"a\tb"',
    "a null": r'"a\u0000b"',
    "a delete": r'"a\u007fb"',
    "another control": r'"a\u009bb"',
    "another break": r'"a\u2028b"',
    "a turn": r'"a\u202eb"',
}
TEXTS = {
    # place → line as it is, key
    "title": ('title = "Two steps"', "title"),
    "questions[1].title": ('title = "Scaling"', "title"),
    "hours": ('packages = ["numpy"]', 'packages = ["numpy"]\nhours'),
    "gradescope.torch_index": ("[feedback]", "[gradescope]\ntorch_index"),
}


@pytest.mark.parametrize("odd", ODD)
@pytest.mark.parametrize("place", TEXTS)
def test_a_text_that_is_shown_is_one_line_without_control_characters(place, odd):
    """It reaches terminals, cells and pages; the error names the key and shows the escapes."""
    line, key = TEXTS[place]
    more = "\n[feedback]" if line == "[feedback]" else ""

    with pytest.raises(CourseError) as caught:
        parse_manifest(GOOD.replace(line, f"{key} = {ODD[odd]}{more}"), "x")

    said = caught.value.problem
    assert said.startswith('expected one line of text without control characters, got "a\\')
    assert said.endswith(f" - at {place}")
    assert said.isprintable()


@pytest.mark.parametrize("title", ["Größe √d_k · 量", "a\u200db", "👩\u200d🔬", "naïve “quotes”"])
def test_any_script_may_stand_in_a_title(title):
    """Only what commands a terminal or breaks a line is refused."""
    assert parse_manifest(GOOD.replace("Two steps", title), "x").title == title


def test_every_question_switched_off_is_a_mistake():
    """Nothing would be graded, and everybody would get 0 of 0 points."""
    off = GOOD.replace("points = ", "enabled = false\npoints = ")

    with pytest.raises(CourseError, match="at least one enabled question"):
        parse_manifest(off, "x")


def test_every_key_has_words_of_its_own():
    """A key that is new in the schema gets its fix before it is used."""
    assert keys_of(Manifest, Question, Given, Limits, QuestionLimits, Feedback) <= FIXES.keys()


def test_a_question_changes_only_the_limits_that_it_names():
    """The others are the assignment's."""
    manifest = parse_manifest(GOOD.replace(SECOND, "limits = { memory_mb = 900 }"), "x")

    first, second = (manifest.limits_of(question) for question in manifest.questions)

    assert (first.seconds, first.memory_mb) == (5, 512)
    assert (second.seconds, second.memory_mb) == (5, 900)


lines = st.sampled_from([line for line in GOOD.splitlines() if line])
values = st.sampled_from(["1", "-1", "1e999", '""', '"x"', "[]", "{}", "true", "1979-05-27", "nan"])


def assert_understood(text):
    with contextlib.suppress(CourseError):
        assert isinstance(parse_manifest(text, "x"), Manifest)


@given(st.text())
def test_any_text_is_a_manifest_or_an_error_for_people(text):
    """No text at all ends in a traceback."""
    assert_understood(text)


@given(st.lists(lines | st.builds("{} = {}".format, st.sampled_from(sorted(FIXES)), values)))
def test_any_order_of_its_lines_is_a_manifest_or_an_error_for_people(chosen):
    """Nor does any mixture of right lines and of keys with other values."""
    assert_understood("\n".join(chosen))


@given(st.sampled_from(sorted(FIXES)), values, st.sampled_from(["points = 60", "seconds = 5"]))
def test_any_value_of_any_key_is_a_manifest_or_an_error_for_people(key, value, line):
    """Nor does any one line in an otherwise right file."""
    assert_understood(GOOD.replace(line, f"{line}\n{key} = {value}"))
