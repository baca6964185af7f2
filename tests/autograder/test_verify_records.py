"""What an assignment excuses with a reason: which files are taken, and what is said of others."""

from __future__ import annotations

import pytest

from autograder.errors import CourseError
from autograder.verify.records import Equivalent, Mild, Narrow, load_records

RECORDS = {
    "equivalents": (
        'question = "total"\nbefore = "a"\nafter = "b"\nreason = "It is."',
        Equivalent("total", "a", "b", "It is."),
        "question, before, after and a reason",
    ),
    "narrow": (
        'check = "total/any"\ndtype = "float64"\nreason = "It is."',
        Narrow("total/any", "float64", "It is."),
        "check, dtype and a reason",
    ),
    "mild": (
        'question = "total"\nmistake = "m"\nreason = "It is."',
        Mild("total", "m", "It is."),
        "question, mistake and a reason",
    ),
}
each_kind = pytest.mark.parametrize("kind", RECORDS)


def written(course, kind: str, *changes: tuple[str, str]):
    """The path of a file with one record, with something in it replaced."""
    text = f"[[{kind}]]\n{RECORDS[kind][0]}\n"
    for old, new in changes:
        text = text.replace(old, new)
    return course.write(f"tests/demo/{kind}.toml", text)


def loaded(course, kind: str) -> list[object]:
    """The records of one kind."""
    return getattr(load_records(course.assignment), kind)


def test_where_no_file_is_nothing_is_excused(course):
    """An assignment needs none of them."""
    records = load_records(course.assignment)

    assert (records.equivalents, records.narrow, records.mild) == ([], [], [])


@each_kind
def test_a_record_is_read_from_the_file_of_its_kind(course, kind):
    """Under the heading that is the file's name."""
    written(course, kind)

    assert loaded(course, kind) == [RECORDS[kind][1]]


@each_kind
@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("It is.", " "),
        ('reason = "It is."', ""),
        ("reason", "raeson"),
        ("[[", "["),
        ("[[", "[[a"),
        ("]]", ""),
    ],
)
def test_a_record_that_is_not_well_written_is_refused(course, kind, old, new):
    """None is taken without its reason, and a heading misspelt is not a file of nothing."""
    path = written(course, kind, (old, new))

    with pytest.raises(CourseError, match="cannot be understood: ") as raised:
        loaded(course, kind)

    assert (raised.value.where, raised.value.undone) == (str(path), "Nothing was proved.")
    assert raised.value.fix == (
        f"begin each record with `[[{kind}]]` and give it {RECORDS[kind][2]}."
    )


@each_kind
def test_a_record_of_no_question_is_refused(course, kind):
    """A question misspelt is not a record of nothing."""
    path = written(course, kind, ("total", "totle"))

    with pytest.raises(CourseError, match="there is no question 'totle'") as raised:
        loaded(course, kind)

    assert raised.value.where == str(path)
    assert raised.value.fix == "use one of: double, total."


@each_kind
def test_a_record_waits_for_a_question_that_is_not_enabled(course, kind):
    """There is nothing to excuse yet, and it is not stale."""
    manifest = course.root / "assignments/demo/assignment.toml"
    text = manifest.read_text().replace("points = 60", "points = 60\nenabled = false")
    course.write("assignments/demo/assignment.toml", text)
    written(course, kind)

    assert loaded(course, kind) == []
