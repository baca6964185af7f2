"""Any file as a result that is there already: what is no result is graded anew, and what is one can
be shown to everybody."""

from __future__ import annotations

import io
import tempfile
from pathlib import Path
from typing import Any

import msgspec
import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from rich.console import Console

from autograder.batch import OutputFolder
from autograder.batch.folder import WRITTEN
from autograder.batch.written import Written
from autograder.cli.tables import class_summary, class_table
from autograder.errors import CourseError
from autograder.gradescope.report import report_of
from autograder.gradescope.spec import decode_report, encode_report
from autograder.manifest import Manifest
from autograder.outputs import feedback_markdown, grades_csv
from autograder.results import Result, encode_result, read_result
from autograder.sandbox import Confinement
from autograder.shown import MOMENTS

from .fuzzing import damaged, examples, places, put, texts, wounds
from .gradescope.made import ABOUT, HOSTILE, OURS_ALONE, samples, usual

USUAL = usual()
KEY = USUAL.result.key
IN_A_FILE = {  # as it stands in a file, whatever Python would write
    **{number: number for number in ("1e308", "-1e308", "1e309", "-1e309", "1e-400", "NaN", "0x1")},
    "a long number": "9" * 400,
    "a longer number": "9" * 5_000,
    "half a character": '"\\ud800"',
    "a deep list": "[" * 100_000 + "]" * 100_000,
    "a deep table": '{"a":' * 100_000 + "1" + "}" * 100_000,
}
raw = {name: msgspec.Raw(text.encode()) for name, text in IN_A_FILE.items()}
outcomes = st.sampled_from(["passed", "failed", "broken", "skipped", "pending", "public", "hidden"])
lengths = st.integers(0, 200_000).map(lambda length: "x\u202e\n" * (length // 3))
leaves = (
    st.none()
    | st.booleans()
    | st.sampled_from([0, 1, 2, -1, 1 << 64, 10**400, 1e300, -1e300, 1e9, -0.001, 12.345])
    | st.integers()
    | st.floats(allow_nan=False, allow_infinity=False)
    | st.sampled_from(HOSTILE)
    | outcomes
    | texts
    | lengths
    | st.sampled_from(sorted(raw)).map(raw.__getitem__)
)
anything = st.recursive(
    leaves,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(texts, inner, max_size=3),
    max_leaves=5,
)


def read(data: bytes, manifest: Manifest = USUAL.manifest) -> Result | None:
    """What a resumed run makes of a file that nobody has changed since it was written; a result is
    shown in every way there is."""
    with tempfile.TemporaryDirectory() as scratch:
        folder = OutputFolder(Path(scratch))
        path = folder.result("submission")
        path.parent.mkdir()
        path.write_bytes(data)
        Written(folder.root / WRITTEN).add(f"results/{path.name}", data)
        finished = folder.finished("submission", KEY)
        try:
            result = read_result(path)
        except CourseError as error:
            said = str(error)
        else:
            said = ""
            show(result, manifest)
    if said:
        assert said.startswith(f"{path}: expected a result of schema 1, got: ")
        assert finished is None
        return None
    assert finished == (result if result.key == KEY and result.score is not None else None)
    return result


def show(result: Result, manifest: Manifest) -> None:
    """Make every page, row and table of it."""
    for moment in MOMENTS:
        feedback_markdown(result, manifest, moment=moment).encode()
    grades_csv([result, result], manifest).encode()
    report = report_of(result, manifest, ABOUT, otter=None, otter_config=OURS_ALONE)
    decode_report(encode_report(report))
    assert Confinement(tuple(result.environment.isolation.layers)).line
    console = Console(file=io.StringIO(), width=120)
    console.print(class_table([result], 120))
    console.print(class_summary([result], 0, 0, Path("grades"), "now"), markup=False)


@examples(40)
@given(samples())
def test_every_result_that_is_written_is_read_again(sample):
    """With any outcome of any check; and what is broken has no score, so it is graded again."""
    assert read(encode_result(sample.result), sample.manifest) == sample.result


@examples(150)
@given(samples(), st.data())
def test_a_result_with_any_values_is_shown_or_graded_anew(sample, data):
    """Other types, huge and negative numbers, no scores, fields that lack or are not ours."""
    tree = msgspec.json.decode(encode_result(sample.result))
    for _ in range(data.draw(st.integers(1, 3))):
        way = data.draw(st.sampled_from(places(tree)))
        if way and isinstance(way[-1], str) and data.draw(st.integers(0, 4)) == 0:
            way = (*way[:-1], data.draw(texts))
        tree = put(tree, way, data.draw(anything))

    read(msgspec.json.encode(tree), sample.manifest)


def changed(*way: Any, to: object) -> bytes:
    """The usual result with one other value."""
    return msgspec.json.encode(put(msgspec.json.decode(encode_result(USUAL.result)), way, to))


CHECK = ("questions", 0, "checks", 0)


@pytest.mark.parametrize(
    "data",
    [
        b"",
        b"null",
        b"\xff",
        changed("more", to=raw["a deep list"]),
        changed("more", to=raw["a deep table"]),
        changed("schema", to=2),
        changed("score", to=raw["NaN"]),
        changed("score", to=raw["1e308"]),
        changed("max_score", to=raw["-1e308"]),
        changed(*CHECK, "points", to=raw["1e308"]),
        changed(*CHECK, "out_of", to=raw["1e309"]),
        changed(*CHECK, "seconds", to=-1),
        changed("submission", to=raw["half a character"]),
    ],
    ids=range(13),
)
def test_what_is_no_result_is_graded_anew(data):
    """Tables without end, numbers beyond all points, another schema."""
    assert read(data) is None


def test_a_result_that_is_cut_short_is_graded_anew():
    """Wherever the disk was full."""
    whole = encode_result(USUAL.result)

    assert not any(read(whole[:length]) for length in range(0, len(whole), 53))


@examples(100)
@given(st.lists(wounds, min_size=1, max_size=3))
def test_a_result_that_was_damaged_is_shown_or_graded_anew(several):
    """Bytes that are others, that lack or that are too many."""
    read(damaged(encode_result(USUAL.result), several))


@examples(60)
@given(st.binary(max_size=60) | anything.map(msgspec.json.encode))
@example(b'{"a":' * 100_000)
def test_anything_else_is_graded_anew(data):
    """Any bytes, any JSON."""
    assert read(data) is None
