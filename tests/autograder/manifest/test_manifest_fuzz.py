"""Any TOML as a manifest: what is wrong is named with its place in words for people, and what is
taken is safe to use."""

from __future__ import annotations

import copy
import datetime
import keyword
import math
import sys
import tempfile
from pathlib import Path
from typing import Any

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from autograder.errors import CourseError
from autograder.manifest import Course, Manifest, parse_manifest
from autograder.manifest.explain import FIXES

from ..fuzzing import damaged, examples, places, put, texts, wounds

LONGEST = 600  # characters of an error
GOOD: dict[str, Any] = {
    "name": "demo",
    "title": "Two steps",
    "packages": ["numpy"],
    "hours": "2",
    "limits": {
        "seconds": 5,
        "cpu_seconds": 60,
        "memory_mb": 512,
        "total_seconds": 100.5,
        "timeouts": 2,
    },
    "feedback": {"hidden_points": "never", "hints": "now"},
    "gradescope": {"rows": "checks", "torch_index": ""},
    "questions": [
        {
            "name": "scores",
            "title": "Scores",
            "file": "step1_scores.py",
            "functions": ["attention_scores"],
            "points": 40,
        },
        {
            "name": "scaling",
            "title": "Scaling",
            "file": "step2_scaling.py",
            "functions": ["scale_scores", "unscale"],
            "points": 60,
            "needs": ["scores"],
            "follow_through": 0.5,
            "enabled": True,
            "extra": False,
            "limits": {"seconds": 1.5, "cpu_seconds": 3, "memory_mb": 64},
        },
    ],
}


class Written(str):
    """TOML as it stands in a file: a number with more digits than Python takes or shows."""


HUGE = Written("0x" + "f" * 5_000)


def text_of(text: str) -> str:
    """A text as TOML has it, whatever stands in it."""
    if text.isascii() and text.isprintable() and not {'"', "\\"} & {*text}:
        return f'"{text}"'
    return '"' + "".join(f"\\U{ord(one):08X}" for one in text) + '"'


def toml(value: Any) -> str:
    """A value as TOML has it."""
    if isinstance(value, dict):
        inner = ", ".join(f"{text_of(key)} = {toml(one)}" for key, one in value.items())
        return f"{{{inner}}}"
    if isinstance(value, list):
        return f"[{', '.join(map(toml, value))}]"
    if isinstance(value, str):
        return value if isinstance(value, Written) else text_of(value)
    if isinstance(value, bool):
        return str(value).lower()
    return value.isoformat() if isinstance(value, datetime.date | datetime.time) else str(value)


def document(tree: dict[str, Any]) -> str:
    """A table as a file."""
    return "".join(f"{text_of(key)} = {toml(one)}\n" for key, one in tree.items())


def place_of(way: tuple[Any, ...]) -> str:
    """A place as an error names it, such as `questions[1].points`."""
    named = (f"[{key}]" if isinstance(key, int) else f".{key}" for key in way)
    return "".join(named).removeprefix(".")


dates = st.dates() | st.times() | st.datetimes()
nowhere_right = dates | st.sampled_from([math.nan, [[math.nan]], HUGE])
keys = st.sampled_from(
    [
        *FIXES,
        "missing required field",
        "missing required field `x`",
        "invalid enum value",
        "matching regex",
        "a - at `$.questions[0].points",
        "\x1b[31m\u202e",
        "",
        "`",
        "k" * 5_000,
    ]
)
words = st.sampled_from(
    [
        *("scores step1_scores.py ../x.py C:\\x.py con.py this.py test_x.py".split()),
        *("f() _f if ﬁ numpy now never".split()),
        *("\x1b[2J\u202e\x00", "x" * 5_000, "", "\n"),
    ]
)
numbers = st.floats() | st.integers() | st.sampled_from([0.005, 0.01, 1e-320, 10**400, 1 << 64])
anything = st.recursive(
    st.booleans() | numbers | words | texts | nowhere_right,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(keys | texts, inner, max_size=3),
    max_leaves=6,
)


def read(text: str) -> Manifest | CourseError:
    """What becomes of it; the manifest is safe to use, the error is for people."""
    try:
        manifest = parse_manifest(text, "x")
    except CourseError as error:
        said = str(error)
        assert said.startswith("x: ")
        assert said.endswith("Nothing was graded.")
        assert len(said) <= LONGEST
        assert said.replace("\n", "").isprintable()
        return error
    assert_safe(manifest)
    return manifest


def assert_safe(manifest: Manifest) -> None:
    """No number that breaks arithmetic, no name that leaves a folder or hides a module."""
    files = [question.file for question in manifest.questions]
    assert manifest.enabled_questions
    assert len({file.casefold() for file in files}) == len(files)
    for question in manifest.questions:
        limits = manifest.limits_of(question)
        numbers = [question.points, limits.seconds, limits.cpu_seconds, limits.memory_mb]
        assert all(0 < one < 1e7 for one in [*numbers, limits.total_seconds, limits.timeouts])
        assert round(question.points * 100) == pytest.approx(question.points * 100)
        assert 0 <= question.follow_through <= 1
        assert question.file == f"{question.module}.py" == Path(question.file).name
        assert question.module.isascii()
        assert question.module.isidentifier()
        assert not keyword.iskeyword(question.module)
        assert question.module not in sys.stdlib_module_names
        assert question not in manifest.builds_on(question)


def test_the_whole_of_it_is_right():
    """So what is wrong below is wrong by what was put in."""
    assert isinstance(read(document(GOOD)), Manifest)


@examples(100)
@given(st.sampled_from(places(GOOD)[1:]), nowhere_right)
@example(("questions", 1, "points"), HUGE)
def test_a_value_that_is_right_nowhere_is_named_with_its_place(way, value):
    """In any key, and in the place of any table or list."""
    error = read(document(put(GOOD, way, value)))

    assert isinstance(error, CourseError)
    assert error.problem.rpartition(" - at ")[2].startswith(place_of(way))


@examples(100)
@given(st.sampled_from([(), ("limits",), ("questions", 0)]), keys | texts, anything)
@example((), "missing required field", 1)
@example(("questions", 1), "missing required field `x`", 1)
@example(("limits",), "\x1b[31m\u202e", 1)
@example((), "k" * 5_000, 1)
def test_a_key_that_is_not_ours_is_named_with_its_place(way, key, value):
    """Whatever it is called."""
    tree = copy.deepcopy(GOOD)
    table = tree
    for one in way:
        table = table[one]
    known = key in table
    table[key] = value

    error = read(document(tree))

    if not known and key not in FIXES:
        assert isinstance(error, CourseError)
        assert "unknown field" in error.problem
        assert not way or error.problem.endswith(f" - at {place_of(way)}")


@examples(150)
@given(st.lists(st.tuples(st.sampled_from(places(GOOD)[1:]), anything), min_size=1, max_size=3))
@example([(("questions", 1, "needs", 0), "x" * 5_000)])
@example([(("questions", 1, "functions", 0), "f(" * 5_000)])
@example(
    [(("questions", 1, "functions"), ["f" * 5_000]), (("questions", 0, "functions"), ["f" * 5_000])]
)
@example([(("limits", "timeouts"), HUGE)])
def test_any_values_are_a_manifest_that_is_safe_or_an_error_for_people(changes):
    """Other types, huge numbers, NaN, deep tables and control characters, several at once."""
    tree = GOOD
    for way, value in changes:
        if way in places(tree):
            tree = put(tree, way, value)

    read(document(tree))


@examples(60)
@given(st.dictionaries(keys | texts, anything, max_size=5))
def test_any_document_is_a_manifest_that_is_safe_or_an_error_for_people(tree):
    """With few or none of the keys that a manifest has."""
    read(document(tree))


@examples(100)
@given(st.lists(wounds, max_size=4), st.binary(max_size=20))
@example([], b"\xff")
@example([(0, 0, b'"' + b"k" * 5_000 + b'" = 1\n"' + b"k" * 5_000 + b'" = 2\n')], b"")
def test_any_bytes_are_an_assignment_or_an_error_for_people(several, added):
    """A file that was damaged, or that is none of text."""
    with tempfile.TemporaryDirectory() as root:
        path = Path(root, "assignments", "demo", "assignment.toml")
        path.parent.mkdir(parents=True)
        path.write_bytes(damaged(document(GOOD).encode(), several) + added)
        read_file(path)


def read_file(path: Path) -> None:
    """What becomes of a file; it is no mistake in the command."""
    try:
        assignment = Course(path.parents[2]).assignment("demo")
    except CourseError as error:
        kind, said = type(error), str(error)
    else:
        return assert_safe(assignment.manifest)
    assert kind is CourseError
    assert said.startswith(f"{path}: ")
    assert len(said) <= LONGEST + len(str(path))
