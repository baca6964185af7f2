"""Zips whose parts contradict each other: whatever they say is staged, or refused in words, within
the limits and a few times their own bytes of memory."""

from __future__ import annotations

import struct
import tempfile
import tracemalloc
import zlib
from dataclasses import dataclass
from pathlib import Path

from hypothesis import example, given
from hypothesis import strategies as st

from autograder.submissions.refusal import Refused
from autograder.submissions.sources import FILE_LIMIT
from autograder.submissions.text import decode

from ..fuzzing import damaged, examples, wounds
from .test_submissions_hostile import FILES, contents, raw_names, stage_all

MOST = 16 * FILE_LIMIT  # bytes of memory for one submission, beside a few times its own
LOCAL, CENTRAL, END, END64, LOCATOR = (
    "HHHHHLLLHH",
    "HHHHHHLLLHHHHHLL",
    "HHHHLLH",
    "QHHLLQQQQ",
    "LQL",
)
Lie = tuple[int, int]  # the number of a field, and what stands in it
lies = st.lists(
    st.tuples(
        st.integers(0, 15),
        st.sampled_from([0, 1, 8, 97, 0xFFFE, 0xFFFF, 1 << 31, 0xFFFF_FFFF, 1 << 63, (1 << 64) - 1])
        | st.integers(0, 400),
    ),
    max_size=2,
)


@dataclass(frozen=True)
class Member:
    """One file of a zip, and where its two headers do not tell the truth."""

    name: bytes
    content: bytes
    compressed: bool = True
    extra: bytes = b""
    local: tuple[Lie, ...] = ()
    central: tuple[Lie, ...] = ()


@dataclass(frozen=True)
class Ending:
    """What stands after a zip's table of contents, and where it does not tell the truth.

    Args:
        large: there is a second ending, for zips of over 4 GB.
    """

    comment: bytes = b""
    large: bool = False
    lies: tuple[tuple[Lie, ...], ...] = ((), (), ())


def packed(mark: bytes, kinds: str, truth: list[int], told: tuple[Lie, ...]) -> bytes:
    """A record of a zip; a number that its field cannot hold loses its first digits."""
    values = [*truth]
    for at, value in told:
        values[at % len(values)] = value
    return mark + b"".join(
        (value % (1 << 8 * struct.calcsize(f"<{kind}"))).to_bytes(
            struct.calcsize(f"<{kind}"), "little"
        )
        for kind, value in zip(kinds, values, strict=True)
    )


def zip_of(members: list[Member], ending: Ending) -> bytes:
    """The bytes of a zip."""
    body, contents = b"", b""
    for one in members:
        press = zlib.compressobj(wbits=-15)
        data = press.compress(one.content) + press.flush() if one.compressed else one.content
        method = zlib.DEFLATED * one.compressed
        sizes = [zlib.crc32(one.content), len(data), len(one.content)]
        lengths = [len(one.name), len(one.extra)]
        local = [20, 0, method, 0, 33, *sizes, *lengths]
        central = [20, 20, 0, method, 0, 33, *sizes, *lengths, 0, 0, 0, 0o100644 << 16, len(body)]
        contents += packed(b"PK\1\2", CENTRAL, central, one.central) + one.name + one.extra
        body += packed(b"PK\3\4", LOCAL, local, one.local) + one.name + one.extra + data
    count, size, at = len(members), len(contents), len(body)
    end, end64, locator = ending.lies
    large = packed(b"PK\6\6", END64, [44, 45, 45, 0, 0, count, count, size, at], end64)
    large += packed(b"PK\6\7", LOCATOR, [0, at + size, 1], locator)
    last = packed(b"PK\5\6", END, [0, 0, count, count, size, at, len(ending.comment)], end)
    return body + contents + large * ending.large + last + ending.comment


several = lies.map(tuple)
names = st.sampled_from([name.encode() for name in FILES]) | raw_names.map(str.encode)
extras = st.binary(max_size=12) | st.builds(
    lambda kind, size, rest: struct.pack("<HH", kind, size) + rest,
    st.sampled_from([1, 0x7075, 0xFFFF]),
    st.sampled_from([0, 8, 24, 0xFFFF]),
    st.binary(max_size=30),
)
bombs = st.sampled_from([FILE_LIMIT, FILE_LIMIT + 1, 1 << 20]).map(lambda size: b"\n" * size)
members = st.lists(
    st.builds(
        Member, names, contents | bombs, st.booleans(), extras | st.just(b""), several, several
    ),
    max_size=4,
)
endings = st.builds(
    Ending, st.binary(max_size=9), st.booleans(), st.tuples(several, several, several)
)
zips = st.builds(zip_of, members, endings)


@dataclass(frozen=True)
class Handed:
    """A zip that was handed in, and how many bytes the zip in it has."""

    data: bytes
    inner: int = 0


handed_in = zips.map(Handed) | st.builds(
    lambda inner, end: Handed(zip_of([Member(b"a.zip", inner)], end), len(inner)), zips, endings
)


@examples(150)
@given(handed_in, st.lists(wounds, max_size=2), st.binary(max_size=9), st.booleans())
@example(Handed(zip_of([Member(b"", b"")], Ending())), [], b"", False)
def test_a_zip_that_contradicts_itself_is_staged_or_refused_within_bounds(
    handed, harm, before, inside_a_class
):
    """Sizes, offsets, names, flags, methods, endings for large zips; zips in zips, and damage."""
    data = before + damaged(handed.data, harm)
    with tempfile.TemporaryDirectory() as scratch:
        folder = Path(scratch, "class")
        folder.mkdir()
        path = folder / "alice.zip"
        path.write_bytes(data)

        tracemalloc.start()
        try:
            stage_all(folder if inside_a_class else path)
            peak = tracemalloc.get_traced_memory()[1]
        finally:
            tracemalloc.stop()

    assert peak <= MOST + 8 * (len(data) + handed.inner)


def test_a_zip_made_here_is_right_where_it_does_not_lie(tmp_path, staged):
    """So what is refused above is refused for what was put in."""
    right = [Member(name.encode(), b"x = 1\n", at == 0) for at, name in enumerate(FILES)]
    for ending in (Ending(), Ending(b"a comment", large=True)):
        path = tmp_path / "alice.zip"
        path.write_bytes(zip_of(right, ending))

        assert staged(path).files == dict.fromkeys(FILES, "x = 1\n")


marks = st.sampled_from([b"", b"\xef\xbb\xbf", b"\xff\xfe", b"\xfe\xff", b"\xff\xfe\0\0"])
wide = st.text(max_size=20).map(lambda text: text.encode("utf-16-le", "surrogatepass"))


@examples(150)
@given(marks, st.binary(max_size=60) | wide)
@example(b"\xff\xfe", b"\x00\xd8")
@example(b"", b"\xed\xa0\x80")
def test_any_bytes_are_text_that_can_be_sent_or_are_refused(mark, data):
    """No NUL, no half of a character, no line that ends in another way."""
    try:
        text, said = decode("step.py", mark + data)
    except Refused as refusal:
        text, said = "", str(refusal)

    assert text.encode().decode() == text
    assert not {"\0", "\r"} & {*text}
    assert not said or said.startswith("step.py ")
