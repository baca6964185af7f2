"""Whatever is handed in is answered: no exception, nothing from outside, no file forgotten."""

from __future__ import annotations

import io
import os
import tempfile
import unicodedata
import warnings
import zipfile
from pathlib import Path

from hypothesis import given
from hypothesis import strategies as st

from autograder.errors import UsageError
from autograder.submissions import find_submissions
from autograder.submissions.sources import FILE_LIMIT

from ..fuzzing import examples

FILES = ("step1_projections.py", "step2_scores.py")
SECRET = "canary: the hidden graders"

odd_names = st.sampled_from(
    [
        *FILES,
        "step1_projections (1).py",
        "STEP2_SCORES.py",
        "step2_scores.py.txt",
        "alice",
        "alice.zip",
        "bob.ZIP",
        "__MACOSX",
        ".hidden",
        "\u202egnp.py",
        "caf\udce9.py",
        "a\nb",
    ]
) | st.text(
    st.characters(blacklist_characters="/\0", blacklist_categories=["Cs"]), min_size=1, max_size=60
).filter(lambda name: name not in {".", ".."})
contents = st.binary(max_size=40) | st.sampled_from(
    [b"x = 1\r\n", "x".encode("utf-16"), b"PK\x03\x04", b"PK\x05\x06" + bytes(18)]
)
trees = st.recursive(
    contents | st.sampled_from(["link", "folder link", "pipe"]),
    lambda inner: st.dictionaries(odd_names, inner, max_size=5),
    max_leaves=14,
)
raw_names = st.sampled_from(["../", "/", "\\", "C:", "", "a/", "./", "a/b/c/d/e/f/g/h/"]).flatmap(
    lambda prefix: odd_names.map(lambda name: (prefix + name).encode("utf-8", "ignore").decode())
)


def write(where: Path, content: object, secret: Path) -> None:
    """Make what a strategy drew; names the file system refuses are left out."""
    try:
        if isinstance(content, dict):
            where.mkdir()
            for name, inner in content.items():
                write(where / name, inner, secret)
        elif isinstance(content, bytes):
            where.write_bytes(content)
        elif content == "pipe":
            os.mkfifo(where)
        else:
            where.symlink_to(secret if content == "link" else secret.parent)
    except OSError:
        pass


def everything_in(folder: Path) -> dict[Path, tuple[int, int, int]]:
    """What stands there, and when and how large it was written."""
    stats = {path: path.lstat() for path in folder.rglob("*")}
    return {path: (one.st_mode, one.st_size, one.st_mtime_ns) for path, one in stats.items()}


def stage_all(path: Path) -> None:
    """Find and stage everything at `path`, and hold the answers against the laws."""
    before = everything_in(path.parent)
    try:
        found = find_submissions(path, FILES)
    except UsageError:
        return
    finally:
        assert everything_in(path.parent) == before
    ids = [submission.id for submission in found.submissions]
    assert ids == sorted(set(ids))
    for submission in found.submissions:
        staged = submission.stage()
        assert everything_in(path.parent) == before
        assert set(staged.files) | set(staged.problems) == set(FILES)
        assert not set(staged.files) & set(staged.problems)
        assert staged.notes or not staged.refused
        for text in staged.files.values():
            assert len(text) <= FILE_LIMIT
            assert not {*"\0\r"} & {*text.encode().decode()}
        sentences = [*staged.notes, *staged.problems.values()]
        said = "".join(sentences)
        assert SECRET not in said + "".join(staged.files.values())
        assert str(path.parent) not in said
        assert not {unicodedata.category(c) for c in said} & {"Cc", "Cf", "Cs", "Zl", "Zp"}
        assert max(map(len, sentences), default=0) < 1500
        assert all(one.endswith((".", "?")) for one in sentences)


@examples(80)
@given(st.dictionaries(odd_names, trees, max_size=6))
def test_any_folder_is_staged_without_an_exception(content):
    """Links to the secret and to its folder are never followed, whatever they are called."""
    with tempfile.TemporaryDirectory() as scratch:
        secret = Path(scratch, "secret", FILES[0])
        secret.parent.mkdir()
        secret.write_text(SECRET)

        write(Path(scratch, "handed in"), content, secret)

        stage_all(Path(scratch, "handed in"))


@examples(80)
@given(
    st.lists(st.tuples(raw_names, contents), max_size=8),
    st.lists(st.tuples(st.integers(0, 5000), st.integers(0, 255)), max_size=12),
    st.booleans(),
)
def test_any_zip_is_staged_without_an_exception(members, damage, inside_a_class):
    """Odd names, names that come twice, and any bytes of it overwritten."""
    with tempfile.TemporaryDirectory() as scratch, warnings.catch_warnings():
        warnings.simplefilter("ignore")
        buffer = io.BytesIO()
        with zipfile.ZipFile(buffer, "w") as archive:
            for name, content in members:
                archive.writestr(name or "x", content)
        data = bytearray(buffer.getvalue())
        for at, value in damage:
            data[at % len(data)] = value
        folder = Path(scratch, "class")
        folder.mkdir()

        (folder / "alice.zip").write_bytes(data)

        stage_all(folder if inside_a_class else folder / "alice.zip")
