"""Gradescope's own formats: every field of a report is known, and metadata names a submission."""

from __future__ import annotations

import json

import msgspec
import pytest

from autograder.gradescope.spec import (
    Leader,
    Report,
    Row,
    decode_report,
    encode_report,
    submission_id,
)
from autograder.submissions import submission_in

FIELDS = {
    Report: "score execution_time output output_format test_output_format test_name_format "
    "visibility stdout_visibility extra_data tests leaderboard",
    Row: "score max_score status name name_format number output output_format tags visibility "
    "extra_data",
    Leader: "name value order",
}
WHOLE = {
    "score": 44.0,
    "execution_time": 136.0,
    "output": "Text relevant to the entire submission",
    "output_format": "simple_format",
    "test_output_format": "text",
    "test_name_format": "text",
    "visibility": "after_due_date",
    "stdout_visibility": "visible",
    "extra_data": {"any": ["thing", 1, None]},
    "tests": [
        {
            "score": 2.0,
            "max_score": 2.0,
            "status": "passed",
            "name": "Your name here",
            "name_format": "text",
            "number": "1.1",
            "output": "Giant multiline string",
            "output_format": "md",
            "tags": ["tag1", "tag2"],
            "visibility": "visible",
            "extra_data": {},
        }
    ],
    "leaderboard": [
        {"name": "Accuracy", "value": 0.926},
        {"name": "Time", "value": 15.1, "order": "asc"},
        {"name": "Stars", "value": "*****", "order": "desc"},
    ],
}
METADATA = {
    "id": 123456,
    "created_at": "2018-07-01T14:22:32.365935-07:00",
    "assignment": {"id": 25828, "title": "Attention", "total_points": "20.0"},
    "submission_method": "upload",
    "users": [{"email": "student@example.com", "id": 1234, "name": "Student User"}],
    "previous_submissions": [{"submission_time": "…", "score": 0.0, "results": {"tests": []}}],
}


def with_field(place, name, value):
    """The whole report with one field of the report, of a row or of a leader changed."""
    changed = json.loads(json.dumps(WHOLE))
    {"report": changed, "row": changed["tests"][0], "leader": changed["leaderboard"][0]}[place][
        name
    ] = value
    return json.dumps(changed).encode()


@pytest.mark.parametrize("struct", FIELDS, ids=lambda struct: struct.__name__)
def test_every_field_of_the_specification_is_a_field(struct):
    """No more and no less than Gradescope's page names."""
    assert set(struct.__struct_fields__) == set(FIELDS[struct].split())


def test_a_report_with_every_field_is_read_and_written_unchanged():
    """Nothing that another plugin put into a report is lost on the way."""
    written = encode_report(decode_report(json.dumps(WHOLE).encode()))

    assert json.loads(written) == WHOLE


def test_fields_without_a_value_are_left_out():
    """Gradescope has a meaning of its own for most of them, and none for null."""
    assert json.loads(encode_report(Report(tests=[Row(score=1)]))) == {"tests": [{"score": 1}]}


@pytest.mark.parametrize("place", ["report", "row", "leader"])
def test_unknown_fields_are_refused(place):
    """A misspelt field would be ignored by Gradescope without a word."""
    with pytest.raises(msgspec.ValidationError, match="unknown field `visibilty`"):
        decode_report(with_field(place, "visibilty", "hidden"))


@pytest.mark.parametrize(
    ("place", "name", "value"),
    [
        ("report", "score", "44"),
        ("report", "score", True),
        ("report", "execution_time", -1),
        ("report", "output", ["a"]),
        ("report", "output_format", "markdown"),
        ("report", "test_output_format", "rst"),
        ("report", "test_name_format", ""),
        ("report", "visibility", "shown"),
        ("report", "stdout_visibility", False),
        ("report", "extra_data", []),
        ("report", "tests", {}),
        ("report", "leaderboard", {}),
        ("row", "score", "2"),
        ("row", "max_score", [2]),
        ("row", "status", "broken"),
        ("row", "name", 1),
        ("row", "name_format", "latex"),
        ("row", "number", 1.1),
        ("row", "output", {}),
        ("row", "output_format", "plain"),
        ("row", "tags", "tag1"),
        ("row", "visibility", "never"),
        ("row", "extra_data", "x"),
        ("leader", "name", None),
        ("leader", "value", None),
        ("leader", "order", "up"),
    ],
)
def test_wrong_values_are_refused(place, name, value):
    """Each field has its type and its words."""
    with pytest.raises(msgspec.ValidationError):
        decode_report(with_field(place, name, value))


@pytest.mark.parametrize(
    "data", [b"", b"{", b"[]", b"null", b'{"score": NaN}', b'{"output":"\xff"}']
)
def test_what_is_no_report_is_refused(data):
    """Cut short, of another kind, or no JSON at all."""
    with pytest.raises(msgspec.MsgspecError):
        decode_report(data)


@pytest.mark.parametrize(
    ("id_", "named"),
    [
        ("123456", "123456"),
        ("0", "0"),
        ('"abc-1"', "abc-1"),
        ('"a/b"', "a_b"),
        ('"../../etc/passwd"', "_.._etc_passwd"),
        ('"C:\\\\x"', "C:_x"),
        ('""', "submission"),
        ('".."', "submission"),
        ('"\\u202e\\u0000\\n"', "submission"),
        ("null", "submission"),
        ("1.5", "submission"),
        ("true", "submission"),
        ("[1]", "submission"),
        ('{"id": 1}', "submission"),
        (f'"{"é" * 5000}"', "é" * 100),
        ("1" + "0" * 40, "1" + "0" * 40),
        ("1" + "0" * 5000, "submission"),
    ],
    ids=lambda text: text[:20],
)
def test_any_id_names_one_file(tmp_path, id_, named):
    """What the platform calls a submission is one safe name, whatever it sends."""
    metadata = json.dumps(METADATA | {"id": "ID"}).replace('"ID"', id_).encode()

    assert submission_in(tmp_path, ["f.py"], submission_id(metadata)).id == named


@pytest.mark.parametrize(
    "metadata",
    [
        b"",
        b"{}",
        b"[]",
        b"null",
        b"{",
        b"\xff\xfe",
        b'{"id": "\xff"}',
        b'{"id": "\\ud800"}',
        b'{"x": ' + b"[" * 100_000 + b"]" * 100_000 + b"}",
    ],
    ids=range(9),
)
def test_metadata_that_tells_no_id_is_no_error(metadata):
    """Missing, malformed or cut short: the submission is graded all the same."""
    assert submission_id(metadata) == "submission"
