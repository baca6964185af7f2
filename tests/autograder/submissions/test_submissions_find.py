"""What an instructor points at, and which submissions are found there."""

from __future__ import annotations

import os

import pytest

from autograder.errors import UsageError
from autograder.submissions import find_submissions

STEP1, STEP2 = "step1_projections.py", "step2_scores.py"
GOOD = {STEP1: "x = 1\n", STEP2: "y = 2\n"}


def ids(found):
    """The ids, in the order they were found."""
    return [submission.id for submission in found.submissions]


def members(folders, prefix=""):
    """GOOD in each of `folders`, as pairs for a zip."""
    return [(f"{prefix}{folder}/{name}", GOOD[name]) for folder in folders for name in GOOD]


@pytest.mark.parametrize("name", [STEP1, "step1_projections (1).py", "step1_projections.py.txt"])
def test_one_file_of_the_assignment_is_one_submission(tree, files, name):
    """A student's single step can be graded; what stands beside it is not looked at."""
    folder = tree("downloads", {name: "x = 1\n", STEP2: "y = 2\n"})

    found = find_submissions(folder / name, files)
    staged = found.submissions[0].stage()

    assert found.kind == "one submission (file)"
    assert staged.files == {STEP1: "x = 1\n"}
    assert staged.problems == {STEP2: f"{STEP2} is missing from what was handed in."}


@pytest.mark.parametrize(
    "content",
    [
        GOOD,
        {"step2_scores (1).py": "y = 2\n", "notes.md": ""},
        {"self_attention": GOOD, ".DS_Store": "", "__MACOSX": {"._x": ""}},
        {STEP1: {"inner.txt": ""}},
    ],
    ids=["top", "copy", "wrapped", "folder-named-as-file"],
)
def test_a_folder_that_holds_a_file_of_the_assignment_is_one_submission(tree, files, content):
    """Whether the files stand at its top or in the one folder it holds."""
    found = find_submissions(tree("alice", content), files)

    assert (ids(found), found.kind) == (["alice"], "one submission (folder)")


def test_any_other_folder_is_a_class(tree, zipped, files):
    """Each folder and zip in it is a submission; loose files are named, litter is not."""
    useless = {"main.py": ""}
    folder = tree(
        "class",
        {"bob": GOOD, "eve": useless, "expected-grades.csv": "", "__MACOSX": {}, ".git": {}},
    )
    zipped("carol.ZIP", [(STEP1, "x = 1\n")], parent=folder)
    (folder / "alias").symlink_to(folder / "bob")
    (folder / "Thumbs.db").write_bytes(b"")

    found = find_submissions(folder, files)

    assert ids(found) == ["bob", "carol", "eve"]
    assert found.ignored == ["expected-grades.csv", "alias (a link or a special file)"]
    assert found.kind == "a folder of 3 submissions"


def test_a_folder_and_a_zip_of_one_name_are_two_submissions(tree, zipped, files):
    """The zip takes its whole name; neither overwrites the other's results."""
    folder = tree("class", {"alice": GOOD, "bob": GOOD})
    zipped("alice.zip", [(STEP1, "x = 1\n")], parent=folder)

    assert ids(find_submissions(folder, files)) == ["alice", "alice.zip", "bob"]


@pytest.mark.parametrize(
    "prefix", ["", "self_attention/", "./", "a folder/"], ids=["top", "wrapped", "dot", "space"]
)
def test_a_zip_of_the_files_is_one_submission(zipped, files, prefix):
    """At its top or one folder deep, with litter and loose files beside the folder."""
    litter = [("__MACOSX/._x", b""), (".DS_Store", b""), ("README.md", b"")]
    path = zipped("alice.smith.zip", [(prefix + name, GOOD[name]) for name in GOOD] + litter)

    found = find_submissions(path, files)

    assert (ids(found), found.kind) == (["alice.smith"], "one submission (zip)")
    assert found.submissions[0].stage().files == GOOD


def test_a_zip_of_folders_is_a_class(zipped, files):
    """It is graded as it came from the platform, without unpacking; a zip in it counts too."""
    inner = zipped("inner.zip", [("work/" + STEP1, "x = 3\n")]).read_bytes()
    rest = [("grades.csv", b""), ("../evil.py", b""), ("carol.zip", inner)]
    path = zipped("class.zip", members(["bob", "alice"]) + rest)

    found = find_submissions(path, files)
    carol = found.submissions[2].stage()

    assert ids(found) == ["alice", "bob", "carol"]
    assert found.kind == "a zip of 3 submissions"
    assert found.ignored == ["grades.csv", "../evil.py (points out of the zip)"]
    assert found.submissions[0].stage().files == GOOD
    assert carol.files == {STEP1: "x = 3\n"}


def test_a_class_in_one_folder_is_still_a_class(tree, zipped, files):
    """Compressing or unpacking a folder wraps it in one of its own name."""
    path = zipped("export.zip", [*members(["alice", "bob"], "class/"), ("class/a.csv", b"")])
    folder = tree("unpacked", {"class": {"alice": GOOD, "bob": GOOD, "a.csv": ""}})

    for found in (find_submissions(path, files), find_submissions(folder, files)):
        assert ids(found) == ["alice", "bob"]
        assert found.ignored == ["a.csv"]
        assert found.kind.endswith(" of 2 submissions, in class/")
        assert found.submissions[1].stage().files == GOOD


@pytest.mark.parametrize("wrapped", [False, True], ids=["plain", "in-a-folder"])
@pytest.mark.parametrize("name", [STEP1, "STEP2_scores (3).py"])
def test_a_loose_file_of_the_assignment_does_not_hide_a_class(tree, zipped, files, name, wrapped):
    """Two submissions make a class, as folders or zips; the file beside them is named."""
    content = {"alice": GOOD, name: "x = 9\n"}
    zipped("bob.zip", [(STEP1, "x = 1\n")])
    content["bob.zip"] = (tree("unused", {}).parent / "bob.zip").read_bytes()

    found = find_submissions(tree("top", {"class": content} if wrapped else content), files)

    assert (ids(found), found.ignored) == (["alice", "bob"], [name])
    assert found.submissions[0].stage().files == GOOD


@pytest.mark.parametrize("names", [["alice"], ["alice", "bob"]])
@pytest.mark.parametrize("prefix", ["", "class/"])
def test_a_folder_called_like_a_file_does_not_hide_a_class(tree, zipped, files, names, prefix):
    """It is a submission of its own, refused like any without the files; the others are graded."""
    class_ = dict.fromkeys(names, GOOD) | {STEP1: {"inner.txt": ""}}
    folder = tree("top", {"class": class_} if prefix else class_)
    path = zipped("top.zip", [*members(names, prefix), (f"{prefix}{STEP1}/inner.txt", "")])

    for found in (find_submissions(folder, files), find_submissions(path, files)):
        staged = [submission.stage() for submission in found.submissions]

        assert ids(found) == [*names, STEP1]
        assert [one.refused for one in staged] == [False] * len(names) + [True]


@pytest.mark.parametrize(
    "beside",
    [
        {"old": GOOD},
        {"old.zip": b"PK", "data": {}, "more": {}},
        {STEP1: {STEP1: ""}, STEP2: {STEP2: ""}},
    ],
    ids=["old", "no-work", "each-in-a-folder"],
)
@pytest.mark.parametrize("wrapped", [False, True], ids=["plain", "in-a-folder"])
def test_one_submission_may_hold_folders_beside_its_files(tree, files, beside, wrapped):
    """Less than two submissions in it are no class."""
    content = GOOD | beside

    found = find_submissions(tree("alice", {"work": content} if wrapped else content), files)

    assert (ids(found), found.kind) == (["alice"], "one submission (folder)")


def test_a_zip_of_a_folder_and_zips_is_a_class_of_all(tree, zipped, files):
    """It is what the same content is as a folder."""
    inner = zipped("inner.zip", [(STEP1, "x = 3\n")]).read_bytes()
    zips = {"bob.zip": inner, "carol.zip": inner}
    path = zipped("class.zip", [*members(["alice"]), *zips.items()])
    folder = tree("class", {"alice": GOOD} | zips)

    for found in (find_submissions(path, files), find_submissions(folder, files)):
        assert ids(found) == ["alice", "bob", "carol"]
        assert found.submissions[2].stage().files == {STEP1: "x = 3\n"}


def test_who_took_anothers_name_reads_the_id_that_was_given(tree, zipped, files):
    """An id that is not the name is noted; an ordinary name, or a zip's, is not."""
    folder = tree("class", {"\x01bob": GOOD, "ALICE": GOOD, "alice": GOOD, "Zoe\u0308": GOOD})
    zipped("bob.zip", [(STEP1, "x = 1\n"), (STEP2, "")], parent=folder)

    notes = {s.id: s.stage().notes for s in find_submissions(folder, files).submissions}

    why = "its name cannot be an id, or another submission has it."
    assert notes == {
        "ALICE-2": (f"ALICE was given the id ALICE-2: {why}",),
        "Zo\u00eb": (),
        "alice": (),
        "bob": (),
        "bob-2": (f"bob was given the id bob-2: {why}",),
    }


def test_a_class_of_one_whose_work_is_deeper_keeps_its_name(tree, files):
    """Only a folder that holds several submissions is taken for a class's."""
    folder = tree("class", {"alice": {"project": GOOD}})

    found = find_submissions(folder, files)

    assert ids(found) == ["alice"]
    assert found.submissions[0].stage().files == GOOD


def test_a_current_folder_has_a_name_too(tree, files, monkeypatch):
    """`autograder check self_attention .` is what one types in a submission."""
    monkeypatch.chdir(tree("alice", GOOD))

    assert ids(find_submissions(type(tree("x", {}))("."), files)) == ["alice"]


def test_an_instructors_own_link_is_followed(tree, tmp_path, files):
    """The argument is trusted; what students hand in is not."""
    (tmp_path / "latest").symlink_to(tree("alice", GOOD))

    found = find_submissions(tmp_path / "latest", files)

    assert found.submissions[0].stage().files == GOOD


@pytest.mark.parametrize(
    ("name", "content", "symptom"),
    [
        ("nowhere", None, "there is no such file or folder"),
        ("empty", {}, f"no submission in it: no folder, no .zip and none of {STEP1}, {STEP2}"),
        ("loose", {"main.py": "", "a.csv": "", ".git": {}}, "found: a.csv, main.py"),
        ("essay.docx", b"PK", f"expected a folder, a .zip or one of {STEP1}, {STEP2}"),
        ("other.py", b"x = 1\n", f"expected a folder, a .zip or one of {STEP1}, {STEP2}"),
        ("broken.zip", b"PK\x03\x04 not really", "is no zip, or is damaged or cut short"),
        ("void.zip", b"PK\x05\x06" + bytes(18), "no submission in it"),
    ],
)
def test_what_is_no_submission_is_a_usage_error(tree, tmp_path, files, name, content, symptom):
    """Nothing was graded, and the message says what was expected there."""
    if isinstance(content, dict):
        tree(name, content)
    elif content is not None:
        (tmp_path / name).write_bytes(content)

    with pytest.raises(UsageError) as caught:
        find_submissions(tmp_path / name, files)

    assert symptom in caught.value.problem
    assert caught.value.fix


def test_nothing_is_read_before_it_is_staged(tree, files, monkeypatch):
    """Ten thousand submissions are found by one look at their folder."""
    folder = tree("class", {f"student{i}": GOOD for i in range(30)})
    opened = []
    real = os.open
    monkeypatch.setattr(
        os, "open", lambda path, *a, **k: opened.append(path) or real(path, *a, **k)
    )

    found = find_submissions(folder, files)

    assert len(found.submissions) == 30
    assert opened == [folder.resolve()]
