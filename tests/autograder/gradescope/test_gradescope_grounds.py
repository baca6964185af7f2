"""The folder that one submission is graded in: closed, fresh, and never a way out of it."""

from __future__ import annotations

import msgspec
import pytest

from autograder.errors import CourseError
from autograder.gradescope.folders import ABOUT, COURSE, NOTEBOOK, OTTER_CONFIG, Grounds
from autograder.gradescope.grading import (
    STUDENT_SECONDS,
    grade_apart,
    result_of,
    within_platform,
)
from autograder.gradescope.plugin import set_aside
from autograder.manifest import Assignment

from .made import SECRETS, graded_grounds, usual

HANDED_IN = ("step1_scores.py", "otter.py", "numpy.py", "sitecustomize.py", "results.json", ".env")


@pytest.fixture
def grounds(tmp_path):
    """Grounds with a package, a result, metadata and a submission."""
    made = graded_grounds(tmp_path / "autograder", usual())
    made.submission.mkdir()
    (made.submission / "step1_scores.py").write_text("x = 1", encoding="utf-8")
    (made.root / "submission_metadata.json").write_bytes(b'{"id": "submission"}')
    return made


def names(folder):
    return sorted(path.name for path in folder.iterdir())


def assert_fresh(other, grounds):
    """Empty but for the package and the metadata of the grounds it lies in."""
    assert names(other.root) == ["results", "source", "submission", "submission_metadata.json"]
    assert names(other.submission) == names(other.report.parent) == []
    assert other.package.about == grounds.package.about
    assert other.metadata == grounds.metadata


def test_closed_grounds_are_closed_to_every_other_user(grounds):
    """Student code runs as another user, and finds nothing there."""
    grounds.root.chmod(0o777)

    grounds.close()

    assert grounds.root.stat().st_mode & 0o777 == 0o700


def test_grounds_beside_have_the_package_and_an_empty_submission(grounds):
    """What a second program needs, and not the student's files."""
    assert_fresh(grounds.beside("other"), grounds)


def test_grounds_beside_are_closed_where_files_are_put(grounds):
    """Neither what was handed in nor what is written can be read by another user."""
    other = grounds.beside("other")

    for folder in (other.submission, other.report.parent):
        assert folder.stat().st_mode & 0o077 == 0


def test_grounds_beside_are_fresh_each_time(grounds):
    """What a killed run left, in any folder of theirs, is gone."""
    other = grounds.beside("other")
    for folder in (other.root, other.submission, other.report.parent, other.graded / "results"):
        folder.mkdir(exist_ok=True, parents=True)
        (folder / "left.json").write_text("left", encoding="utf-8")
    (other.submission / "deep" / "er").mkdir(parents=True)

    assert_fresh(grounds.beside("other"), grounds)


def test_what_a_link_in_them_points_to_outlives_them(grounds, tmp_path):
    """Clearing follows no link: not to the package, not to the result, not out of the grounds."""
    outside = tmp_path / "outside"
    outside.mkdir()
    (outside / "kept").touch()
    other = grounds.beside("other")
    other.graded.symlink_to(grounds.graded)
    (other.submission / "out").symlink_to(outside)
    (other.submission / "file").symlink_to(outside / "kept")

    assert_fresh(grounds.beside("other"), grounds)
    assert (outside / "kept").exists()
    assert (grounds.package.root / ABOUT).exists()
    assert result_of(grounds) == usual().result


@pytest.mark.parametrize("stands", ["a link to a folder", "a broken link", "a file"])
def test_whatever_stands_in_their_place_is_replaced(grounds, tmp_path, stands):
    """A link in the place of the whole folder is removed, not entered."""
    place, outside = grounds.root / "other", tmp_path / "outside"
    if stands == "a file":
        place.touch()
    else:
        place.symlink_to(outside)
    if stands == "a link to a folder":
        outside.mkdir()
        (outside / "kept").touch()

    other = grounds.beside("other")

    assert not other.root.is_symlink()
    assert_fresh(other, grounds)
    assert outside.exists() == (stands == "a link to a folder")
    assert stands != "a link to a folder" or names(outside) == ["kept"]


def test_grounds_without_metadata_give_none(tmp_path):
    """otter-grader wants the file all the same, and gets an empty one."""
    grounds = graded_grounds(tmp_path, usual())

    assert grounds.metadata == b""
    assert grounds.beside("other").metadata == b"{}"


def test_a_result_is_found_by_what_the_platform_calls_the_submission(grounds):
    """The id in the metadata names the file; another id has no result, and that is said."""
    assert result_of(grounds) == usual().result

    (grounds.root / "submission_metadata.json").write_bytes(b'{"id": 5}')
    with pytest.raises(CourseError, match="grading came to no result"):
        result_of(grounds)


def test_an_earlier_result_never_stands_for_a_later_run(grounds, monkeypatch):
    """A run that comes to nothing in a folder that was used before has no result."""
    monkeypatch.setattr("autograder.gradescope.grading.subprocess.run", lambda *_, **__: None)

    with pytest.raises(CourseError, match="came to no result"):
        grade_apart(grounds)


def test_a_result_that_is_cut_short_is_none(grounds):
    """A file that a killed process left half is an error, not a score."""
    path = grounds.graded / "results" / "submission.json"
    path.write_bytes(path.read_bytes()[:200])

    with pytest.raises(CourseError, match="expected a result of schema 1"):
        result_of(grounds)


@pytest.mark.parametrize("content", [None, b"", b"[]", b'{"assignment": "sample"}'])
@pytest.mark.parametrize("name", [ABOUT, OTTER_CONFIG])
def test_a_damaged_package_says_what_to_do(grounds, name, content):
    """Every file that `autograder package` wrote is checked when it is read."""
    if name == OTTER_CONFIG and content == b'{"assignment": "sample"}':
        content = b'"text"'
    path = grounds.package.root / name
    path.write_bytes(content or b"")
    if content is None:
        path.unlink()

    with pytest.raises(CourseError, match="package the assignment again") as error:
        _ = grounds.package.about if name == ABOUT else grounds.package.otter_config
    assert str(path) in str(error.value)


def test_the_packaged_assignment_is_read_from_the_package(grounds):
    """Through the link too, its folders are the package's own."""
    for place in (grounds, grounds.beside("other")):
        assignment = place.package.assignment

        assert assignment.manifest == usual().manifest
        assert assignment.graders == (grounds.package.root / COURSE).resolve() / "tests" / "sample"


@pytest.mark.parametrize(("wanted", "given"), [(20, 20), (100_000, STUDENT_SECONDS)])
def test_student_code_gets_no_more_time_than_the_platform_leaves(grounds, wanted, given):
    """The manifest's limit, unless Gradescope would end everything first."""
    assignment = grounds.package.assignment
    limits = msgspec.structs.replace(assignment.manifest.limits, total_seconds=wanted)
    longer = msgspec.structs.replace(assignment.manifest, limits=limits)

    cut = within_platform(
        Assignment(longer, assignment.handout, assignment.solutions, assignment.graders)
    )

    assert cut.manifest.limits.total_seconds == given
    assert msgspec.structs.replace(cut.manifest, limits=limits) == longer


def test_no_secret_leaves_the_folder_of_results(grounds):
    """Names and details of hidden checks are in `graded` alone: in no folder that is handed on."""
    other = grounds.beside("other")
    files = [path for path in other.root.rglob("*") if path.is_file()]

    assert files
    assert not [one for one in SECRETS for path in files if one in path.read_text("utf-8")]


@pytest.fixture
def prepared(tmp_path):
    """A folder as otter-grader prepares it: what was handed in, and its own files over it."""
    grounds = Grounds(tmp_path)
    grounds.submission.mkdir()
    for name in HANDED_IN:
        (grounds.submission / name).write_text(name, encoding="utf-8")
    for folder in ("graded", "handed_in", "source", "files", "tests_of_mine", ".git"):
        (grounds.submission / folder).mkdir()
        (grounds.submission / folder / "x.py").write_text("mine", encoding="utf-8")
    (grounds.submission / NOTEBOOK).write_text("{}", encoding="utf-8")
    (grounds.submission / "tests").mkdir()
    (grounds.submission / "tests" / "01_scores.py").touch()
    (grounds.submission / "__init__.py").touch()
    return grounds


def test_what_was_handed_in_leaves_otters_folder(prepared):
    """No file that a student chose is where otter-grader's kernel starts; its own files stay."""
    aside = set_aside(prepared)

    assert names(prepared.submission) == ["__init__.py", NOTEBOOK, "tests"]
    assert names(aside.submission) == sorted(
        [*HANDED_IN, "graded", "handed_in", "source", "files", "tests_of_mine", ".git"]
    )
    assert (aside.submission / "otter.py").read_text("utf-8") == "otter.py"
    assert (aside.submission / "graded" / "x.py").read_text("utf-8") == "mine"


def test_files_called_like_ours_are_not_in_their_place(tmp_path, monkeypatch):
    """After otter-grader's own preparation and our move, every file left is of the package."""
    from otter.run.run_autograder.runners import create_runner

    grounds = Grounds(tmp_path)
    ours = {f"files/{NOTEBOOK}": "ours", "tests/01_scores.py": "ours", "tests/02_b.py": "ours"}
    theirs = dict.fromkeys(
        [NOTEBOOK, "tests/01_scores.py", "tests/00_evil.py", "files/x"], "theirs"
    )
    for root, files in ((grounds.package.root, ours), (grounds.submission, theirs)):
        for name, text in files.items():
            (root / name).parent.mkdir(parents=True, exist_ok=True)
            (root / name).write_text(text, encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    create_runner({"lang": "python"}, autograder_dir=str(tmp_path)).prepare_files()

    set_aside(grounds)

    left = [path for path in sorted(grounds.submission.rglob("*")) if path.is_file()]
    assert [path.name for path in left] == ["__init__.py", NOTEBOOK, "01_scores.py", "02_b.py"]
    assert [path.read_text("utf-8") for path in left] == ["", "ours", "ours", "ours"]


def test_nothing_handed_in_is_taken_for_a_result_of_ours(prepared):
    """A folder called like ours lies among what was handed in, not beside it."""
    aside = set_aside(prepared)

    assert not aside.graded.exists()
    assert not prepared.graded.exists()
    assert names(aside.report.parent) == []


def test_an_init_file_of_a_students_leaves_too(prepared):
    """otter-grader makes an empty one; with a word in it, it is the student's."""
    (prepared.submission / "__init__.py").write_text("import os", encoding="utf-8")

    aside = set_aside(prepared)

    assert names(prepared.submission) == [NOTEBOOK, "tests"]
    assert (aside.submission / "__init__.py").read_text("utf-8") == "import os"


@pytest.mark.parametrize("name", ["a b.py", "-rf", "*", "é.py", "'$(x)`.py", "a\nb", "b\udcff.py"])
def test_files_of_any_name_leave(prepared, name):
    """Names mean nothing to the move."""
    (prepared.submission / name).touch()

    assert name in names(set_aside(prepared).submission)
    assert name not in names(prepared.submission)


def test_a_link_leaves_as_a_link(prepared, tmp_path):
    """What it points to is neither moved nor read."""
    (tmp_path / "secret").write_text("ours", encoding="utf-8")
    (prepared.submission / "link.py").symlink_to(tmp_path / "secret")

    aside = set_aside(prepared)

    assert (aside.submission / "link.py").is_symlink()
    assert (tmp_path / "secret").read_text("utf-8") == "ours"
