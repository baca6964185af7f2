"""A zip that was handed in: read member by member, never extracted, however it was made."""

from __future__ import annotations

import os
import stat
import struct
import zipfile

import pytest

from autograder.errors import CourseError
from autograder.submissions import find_submissions
from autograder.submissions.sources import ENTRY_LIMIT, FILE_LIMIT
from autograder.submissions.zips import CONTENTS_LIMIT

STEP1, STEP2 = "step1_projections.py", "step2_scores.py"
GOOD2 = (STEP2, "y = 2\n")


def special(name, kind):
    """A member that a Unix tool would restore as a link or a pipe."""
    info = zipfile.ZipInfo(name)
    info.create_system = 3
    info.external_attr = (kind | 0o777) << 16
    return info


def patched(path, name, offset_local, offset_central, value):
    """Overwrite one field of `name`'s headers, local and central, as no tool would."""
    data = bytearray(path.read_bytes())
    local = data.index(b"PK\x03\x04")
    while data[local + 30 : local + 30 + len(name)] != name.encode():
        local = data.index(b"PK\x03\x04", local + 4)
    central = data.index(b"PK\x01\x02")
    while data[central + 46 : central + 46 + len(name)] != name.encode():
        central = data.index(b"PK\x01\x02", central + 4)
    data[local + offset_local : local + offset_local + len(value)] = value
    data[central + offset_central : central + offset_central + len(value)] = value
    path.write_bytes(data)
    return path


def test_members_are_decoded_as_files_are(zipped, staged):
    """The same names, encodings and line endings are accepted."""
    members = [("step1_projections (1).py", "x = 1\r\n".encode("utf-16")), GOOD2]

    result = staged(zipped("alice.zip", members))

    assert result.files == {STEP1: "x = 1\n", STEP2: "y = 2\n"}
    assert result.notes == (
        "step1_projections (1).py was UTF-16; read all the same.",
        f"step1_projections (1).py was taken for {STEP1}.",
    )


@pytest.mark.parametrize(
    ("members", "symptom"),
    [
        ([(special(STEP1, stat.S_IFLNK), "/etc/passwd")], "is a link or a special file."),
        ([(special(STEP1, stat.S_IFIFO), "")], "is a link or a special file."),
        ([(STEP1 + "/inner.py", "")], "is a folder, not a file."),
        ([(STEP1, "x = 1\n"), (STEP1, "x = 2\n")], "is in the zip 2 times"),
        ([(STEP1, "x = 1\n"), ("./" + STEP1, "x = 2\n")], "is in the zip 2 times"),
        ([(STEP1, bytes(64 * 1024**2))], "is larger than 256 KiB."),
        ([(STEP1, b"\xe9")], "is not UTF-8 text."),
    ],
    ids=["link", "pipe", "folder", "twice", "twice-with-dot", "bomb", "latin-1"],
)
@pytest.mark.filterwarnings("ignore:Duplicate name")
def test_a_member_that_is_no_source_file_costs_only_its_own_step(zipped, staged, members, symptom):
    """The sentence names it; the other step is graded."""
    result = staged(zipped("alice.zip", [*members, GOOD2]))

    assert result.files == {STEP2: "y = 2\n"}
    assert result.problems[STEP1].startswith(f"{STEP1} {symptom}")


@pytest.mark.parametrize(
    ("fields", "symptom"),
    [
        ((6, 8, b"\x01\x00"), "is locked with a password."),
        ((14, 16, b"\xde\xad\xbe\xef"), "is damaged inside the zip."),
        ((8, 10, struct.pack("<H", 97)), "is compressed in a way that is not read here."),
        ((8, 10, struct.pack("<H", zipfile.ZIP_LZMA)), "is compressed in a way"),
        ((18, 20, struct.pack("<I", 1 << 31)), "is larger than 256 KiB."),
    ],
    ids=["encrypted", "crc", "unknown-method", "lzma", "compressed-size"],
)
def test_a_forged_header_costs_only_its_own_step(zipped, staged, fields, symptom):
    """What the table of contents claims is checked, not believed."""
    path = zipped("alice.zip", [GOOD2, (STEP1, "x = 1\n")])

    result = staged(patched(path, STEP1, *fields))

    assert result.files == {STEP2: "y = 2\n"}
    assert result.problems[STEP1].startswith(f"{STEP1} {symptom}")


@pytest.mark.parametrize("claimed", [10, 1 << 30])
def test_a_bomb_that_lies_about_its_size_is_read_no_further(zipped, staged, peak, claimed):
    """Neither a small claim nor a large one makes the grader hold more than the limit."""
    path = zipped("alice.zip", [GOOD2, (STEP1, b"#" * (200 * FILE_LIMIT))])
    patched(path, STEP1, 22, 24, struct.pack("<I", claimed))

    result = staged(path)

    assert result.files == {STEP2: "y = 2\n"}
    assert STEP1 in result.problems
    assert peak(lambda: staged(path)) < 8 * FILE_LIMIT


def test_an_offset_before_the_zips_beginning_is_the_zips_fault(zipped, staged):
    """It is damage like any other, not a disk of ours that fails."""
    path = zipped("alice.zip", [(STEP1, "x = 1\n")])
    data = bytearray(path.read_bytes())
    data[-6:-2] = struct.pack("<I", len(data) * 2)  # where the table of contents is said to begin
    path.write_bytes(data)

    assert staged(path).problems[STEP1].startswith(f"{STEP1} is damaged inside the zip.")


@pytest.mark.parametrize(
    "name",
    [
        "../" + STEP1,
        "alice/../../" + STEP1,
        "/" + STEP1,
        "C:" + STEP1,
        "C:/homework/" + STEP1,
        "work\\" + STEP1,
        "..\\" + STEP1,
    ],
)
def test_a_name_that_points_out_of_the_zip_is_left_alone(zipped, staged, name):
    """Nothing is extracted, so nothing can happen; the student learns why it is missing."""
    result = staged(zipped("alice.zip", [(name, "x = 1\n"), GOOD2]))

    assert result.files == {STEP2: "y = 2\n"}
    assert result.problems[STEP1] == f"{STEP1} is missing from what was handed in."
    assert result.notes[0].startswith(
        f"Left alone, since their names point out of the zip: {name}."
    )


def test_a_name_cut_by_a_nul_is_left_alone(zipped, staged):
    """Tools disagree on such a name: what is graded must be what everybody sees."""
    path = zipped("alice.zip", [(STEP1 + "#evil", "x = 1\n"), GOOD2])
    path.write_bytes(path.read_bytes().replace(b".py#evil", b".py\0evil"))

    result = staged(path)

    assert result.files == {STEP2: "y = 2\n"}
    assert "point out of the zip" in result.notes[0]


@pytest.mark.parametrize("prefix", ["", "alice/", ".venv/lib/"])
def test_a_flooded_zip_is_refused(zipped, tree, files, prefix):
    """An environment or a data set among the files is named as the reason."""
    flood = [(f"{prefix}data{number}", b"") for number in range(ENTRY_LIMIT)]
    folder = tree("class", {"bob": {STEP1: ""}})
    zipped("alice.zip", [(STEP1, "x = 1\n"), *flood], parent=folder)

    result = find_submissions(folder, files).submissions[0].stage()

    assert result.refused
    assert result.notes[0].startswith("The zip holds more than 2,000 files.")
    assert result.problems[STEP1] == result.notes[0]


def test_a_huge_table_of_contents_is_not_even_parsed(zipped, tree, files):
    """Its length is known before it is read: a few seconds and gigabytes are not spent on it."""
    long = "x" * 60_000
    entries = [(f"{number}{long}", b"") for number in range(CONTENTS_LIMIT // 60_000 + 1)]
    folder = tree("class", {"bob": {STEP1: ""}})
    zipped("alice.zip", [(STEP1, "x = 1\n"), *entries], parent=folder)

    result = find_submissions(folder, files).submissions[0].stage()

    assert result.notes[0].startswith("The zip holds more than 2,000 files.")


@pytest.mark.parametrize(
    "data",
    [b"", b"not a zip", b"PK\x03\x04" + bytes(100), b"PK\x05\x06" + b"\xff" * 18, b"Rar!\x1a\x07"],
)
def test_a_broken_zip_in_a_class_is_a_refused_submission(tree, files, data):
    """Its student reads the reason; the class is graded."""
    folder = tree("class", {"alice.zip": data, "bob": {STEP1: "x = 1\n"}})

    alice, bob = (s.stage() for s in find_submissions(folder, files).submissions)

    assert bob.files == {STEP1: "x = 1\n"}
    assert alice.notes == (
        "alice.zip is no zip, or is damaged or cut short. Make the zip again and hand it in.",
    )
    assert alice.problems == dict.fromkeys(files, alice.notes[0])


def test_an_empty_zip_in_a_class_is_a_refused_submission(tree, zipped, files):
    """Nothing is in it, and that is what its student reads."""
    folder = tree("class", {"bob": {STEP1: ""}})
    zipped("alice.zip", [], parent=folder)

    alice = find_submissions(folder, files).submissions[0].stage()

    assert alice.notes == ("None of the assignment's files was handed in; found: nothing.",)


def test_a_link_called_zip_is_not_followed(tree, zipped, files, tmp_path):
    """A class folder unpacked by a careless tool may hold a student's link."""
    target = zipped("other.zip", [(STEP1, "x = 1\n")])
    folder = tree("class", {"bob": {STEP1: ""}})
    (folder / "alice.zip").symlink_to(target)

    found = find_submissions(folder, files)

    assert [submission.id for submission in found.submissions] == ["bob"]
    assert found.ignored == ["alice.zip (a link or a special file)"]


def test_a_large_zip_in_a_zip_is_read_where_its_files_are_small(tree, zipped, files):
    """Pictures beside the files cost room, not the grade."""
    picture = os.urandom(3 * 1024**2)
    inner = zipped("inner.zip", [(STEP1, "x = 1\n"), ("photo.png", picture)]).read_bytes()
    outer = zipped("outer.zip", [("inner.zip", inner)], zipfile.ZIP_STORED).read_bytes()
    folder = tree("class", {"alice.zip": outer, "bob": {"outer.zip": outer}})

    alice, bob = (s.stage() for s in find_submissions(folder, files).submissions)

    assert alice.files == {STEP1: "x = 1\n"}
    assert bob.refused  # three zips deep is not looked for
    assert bob.notes == ("None of the assignment's files was handed in; found: inner.zip.",)


def test_a_zip_that_changed_meanwhile_is_not_the_students_fault(zipped, files):
    """Reading the new bytes by the old table would refuse them all; the instructor is told."""
    path = zipped("class.zip", [("alice/" + STEP1, "x = 1\n"), ("bob/" + STEP1, "x = 1\n")])
    submissions = find_submissions(path, files).submissions
    zipped("class.zip", [("zoe/" + STEP1, "x = 1\n")])

    with pytest.raises(CourseError, match="the zip was changed meanwhile"):
        submissions[0].stage()


def test_forks_read_one_class_at_the_same_time(zipped, files):
    """A process a submission is how a class is graded; they share no position in the file."""
    names = [f"student{number}" for number in range(40)]
    path = zipped("class.zip", [(f"{name}/{STEP1}", f"x = '{name}'\n") for name in names])
    submissions = find_submissions(path, files).submissions

    children = []
    for _ in range(4):
        child = os.fork()
        if child == 0:
            right = all(s.stage().files == {STEP1: f"x = '{s.id}'\n"} for s in submissions * 5)
            os._exit(0 if right else 1)
        children.append(child)

    assert [os.waitpid(child, 0)[1] for child in children] == [0] * 4


def test_no_file_is_ever_written(zipped, staged, tmp_path):
    """A zip is not extracted, into no folder."""
    path = zipped("alice.zip", [(f"alice/{STEP1}", "x = 1\n"), ("alice/a/b/c.txt", "")])
    before = sorted(tmp_path.rglob("*"))

    staged(path)

    assert sorted(tmp_path.rglob("*")) == before
