"""Names and bytes from outside: what is accepted, and what is ever shown."""

from __future__ import annotations

import codecs
import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from autograder.submissions.match import match_files
from autograder.submissions.names import clean, listed, safe_id, unique_ids
from autograder.submissions.refusal import Refused
from autograder.submissions.text import decode

STEP1, STEP2 = "step1_projections.py", "step2_scores.py"
ANY_NAME = st.text(st.characters(), max_size=400)


@pytest.mark.parametrize(
    "name",
    [
        "step1_projections (1).py",
        "step1_projections(12).py",
        "step1_projections-1.py",
        "step1_projections (1)-2.py",
        "step1_projections copy.py",
        "step1_projections copy 2.py",
        "step1_projections 2.py",
        "step1_projections - Copy.py",
        "step1_projections - Copy (2).py",
        "step1_projections.py.txt",
        "Step1_Projections.py",
        "STEP1_PROJECTIONS.PY",
    ],
)
def test_what_a_computer_makes_of_a_name_is_accepted(name):
    """No student chose these names, so no student loses points over them."""
    (match,) = match_files([STEP1], [name, STEP2])

    assert (match.used, match.unused) == (name, ())


@pytest.mark.parametrize(
    "name",
    [
        "step1_projections_1.py",
        "step1_projections_old.py",
        "my step1_projections.py",
        "step1_projections.pyc",
        "step1_projections.ipynb",
        "step1_projections (1) (2) (3).py",
        "step1_projections (١).py",
        "step1_projections.py\n",
        "step1_projections\u202e.py",
    ],
)
def test_what_a_person_named_otherwise_is_not_guessed_at(name):
    """A guess could grade the wrong file, and a name could hide another."""
    (match,) = match_files([STEP1], [name])

    assert (match.used, match.unused) == (None, ())


def test_the_exact_name_wins_over_its_copies():
    """Copies beside the file that was asked for are named, not used."""
    copies = ("step1_projections (1).py", "step1_projections.py.txt")

    (match,) = match_files([STEP1], [*copies, STEP1])

    assert (match.used, match.unused) == (STEP1, copies)


def test_several_candidates_are_not_chosen_among():
    """Which copy is the newest cannot be told from its name."""
    copies = ("step1_projections (1).py", "step1_projections (2).py")

    (match,) = match_files([STEP1], copies)

    assert (match.used, match.unused) == (None, copies)


@given(ANY_NAME)
def test_an_id_is_always_one_safe_path_component(name):
    """results/<id>.json must stand in results/, on any system, whatever a folder was called."""
    made = safe_id(name)

    assert made not in {"", ".", ".."}
    assert not set(made) & {"/", "\\", "\0", "\n", "\u202e", "\u2066"}
    assert not made.startswith(".")
    assert len(made.encode("utf-8")) <= 200


@given(st.lists(st.lists(ANY_NAME, min_size=1, max_size=2), max_size=12))
def test_ids_differ_even_where_case_does_not_count(names):
    """Two submissions never write to one results file, on macOS neither."""
    ids = unique_ids(names)

    assert len({unicodedata.normalize("NFC", made.casefold()) for made in ids}) == len(names)
    assert all(len(made.encode("utf-8")) <= 200 for made in ids)


def test_ids_that_a_file_system_may_take_for_one_are_told_apart():
    """Case and the two ways to write ë make no difference on macOS."""
    ids = unique_ids([["Alice"], ["alice"], ["Zo\u00eb"], ["Zoe\u0308"]])

    assert ids == ["Alice-2", "alice", "Zo\u00eb", "Zo\u00eb-2"]


@pytest.mark.parametrize(
    ("imitation", "real"),
    [
        ("\x01bob", "bob"),
        (" bob", "bob"),
        ("BOB", "bob"),
        ("\x01Bob", "Bob"),
        ("\x01Zoe\u0308", "Zoe\u0308"),
        ("a\x01-2", "a-2"),
    ],
)
def test_no_name_takes_the_id_of_one_that_needs_no_change(imitation, real):
    """Who comes first in the folder's order does not get another student's results."""
    imitated, kept = unique_ids([[imitation], [real]])

    assert kept == unicodedata.normalize("NFC", real)
    assert imitated.endswith("-2")


def test_an_ordinary_name_is_its_own_id():
    """Names with spaces, dots and accents are what an instructor looks for in the gradebook."""
    ids = unique_ids([["Zoë van Dijk"], ["alice.smith"], ["李雷"]])

    assert ids == ["Zoë van Dijk", "alice.smith", "李雷"]


@given(ANY_NAME)
def test_a_shown_name_is_bounded_printable_text(name):
    """A name cannot forge a line, reorder the text around it or flood a report."""
    shown = clean(name)

    assert 0 < len(shown) <= 80
    assert not {unicodedata.category(c) for c in shown} & {"Cc", "Cf", "Cs", "Zl", "Zp"}


def test_a_long_list_of_names_is_cut_and_counted():
    """A thousand names are no help to anybody."""
    shown = listed([f"file{i}.py" for i in range(1008)])

    assert shown.endswith("file7.py and 1,000 more")


@pytest.mark.parametrize(
    ("mark", "codec", "note"),
    [
        (b"", "utf-8", ""),
        (codecs.BOM_UTF8, "utf-8", ""),
        (codecs.BOM_UTF16_LE, "utf-16-le", "a.py was UTF-16; read all the same."),
        (codecs.BOM_UTF16_BE, "utf-16-be", "a.py was UTF-16; read all the same."),
        (codecs.BOM_UTF32_LE, "utf-32-le", "a.py was UTF-32; read all the same."),
        (codecs.BOM_UTF32_BE, "utf-32-be", "a.py was UTF-32; read all the same."),
    ],
)
def test_text_with_a_mark_is_read_whatever_its_encoding(mark, codec, note):
    """What an editor on Windows saves is text; the mark itself is no part of it."""
    text = "# √d_k 😀\r\nx = 1\ry = 2\n"

    decoded = decode("a.py", mark + text.encode(codec))

    assert decoded == ("# √d_k 😀\nx = 1\ny = 2\n", note)


@pytest.mark.parametrize(
    ("data", "symptom"),
    [
        ("# café".encode("latin-1"), "a.py is not UTF-8 text. Save it as UTF-8"),
        (codecs.BOM_UTF16_LE + b"\x00\xd8", "a.py is not UTF-16 text. Save it as UTF-8"),
        ("x = 1".encode("utf-16-le"), "a.py holds NUL characters"),
        (b"\x89PNG\r\n\x1a\n", "a.py is not UTF-8 text"),
        ("\ud800".encode("utf-8", "surrogatepass"), "a.py is not UTF-8 text"),
    ],
)
def test_what_is_no_text_is_refused_with_what_to_do(data, symptom):
    """Python would answer with an error about bytes; this one names the remedy."""
    with pytest.raises(Refused, match="Save it as UTF-8 text and hand it in again") as caught:
        decode("a.py", data)

    assert symptom in str(caught.value)
