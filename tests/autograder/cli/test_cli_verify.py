"""`autograder verify` as it is typed, and `autograder package`, which takes only what is proved."""

from __future__ import annotations

import msgspec
import pytest

from autograder.sandbox import LINUX
from autograder.verify import Matrix

from ..gradescope.packages import packable

HEAD = "from autograder.grading import mistake, variant\n\n"
MISTAKE = """
@mistake("double", kind={kind!r}, symptom="Seen. Why?", answer="Mend it.")
def {name}(x):
    return {value}
"""
THRICE = MISTAKE.format(kind="thrice", name="thrice", value="3 * x")
UNSEEN = MISTAKE.format(kind="a sum", name="unseen", value="x + x")
NOT_SEEN = "mistakes.py:{line}: mistake 'unseen': no check of 'double' sees it: it has full marks"


@pytest.fixture
def course(course):
    """A course of this test's own with stubs, known mistakes and another right answer."""
    packable(course)
    course.write("tests/demo/mistakes.py", HEAD + THRICE)
    course.write(
        "tests/demo/variants.py", HEAD + "\n@variant('double')\ndef twice(x):\n    return x + x\n"
    )
    return course


def test_proved_graders_are_said_to_be_proved(course):
    """Exit 0, with what was looked at; the matrix is written as JSON, and no step was run here."""
    run = course.autograder("verify", "demo", "--matrix", "out/matrix.json")

    assert (run.returncode, run.stderr) == (0, "")
    assert "demo: 1 mistake; 1 variant and the reference in 1 run, 0 flakes" in run.stdout
    assert "no known mistake in total: none of its checks is known to see one" in run.stdout
    assert "NOT PROVED" not in run.stdout
    matrix = msgspec.json.decode((course.root / "out/matrix.json").read_bytes(), type=Matrix)
    assert [(one.mistake, one.checks) for one in matrix.kills] == [
        ("thrice", ["on_paper", "any_length"])
    ]
    assert course.was_run == []


def test_a_mistake_that_no_check_sees_proves_nothing_and_packages_nothing(course):
    """Both commands exit 1 and name it, with file and line; nothing is written."""
    course.write("tests/demo/mistakes.py", HEAD + THRICE + UNSEEN)

    verified = course.autograder("verify", "demo")
    packaged = course.autograder("package", "demo")

    said = NOT_SEEN.format(line=8)
    assert (verified.returncode, packaged.returncode) == (1, 1)
    assert said in verified.stdout
    assert "NOT PROVED: 1 problem, named above." in verified.stdout
    assert said in packaged.stderr
    assert "Nothing was packaged." in packaged.stderr
    assert not (course.root / "dist").exists()


def test_without_the_only_check_that_sees_a_mistake_the_graders_are_not_proved(course):
    """The page names the check; without it the mistake is named, and no page says otherwise."""
    grader = course.root / "tests/demo/test_double.py"
    before = grader.read_text()
    zeros = "\n\ndef test_zeros(compare):\n    compare.double(np.zeros(3))\n"
    course.write("tests/demo/test_double.py", f"import numpy as np\n{before}{zeros}")
    value = "2 * x if x.any() else x - 1"
    course.write("tests/demo/mistakes.py", HEAD + UNSEEN.replace("x + x", value))

    proved = course.autograder("verify", "demo", "--page", "with.md")
    course.write("tests/demo/test_double.py", before)
    lacking = course.autograder("verify", "demo", "--page", "without.md")

    assert (proved.returncode, lacking.returncode) == (0, 1)
    assert "1 of 3, zeros only" in proved.stdout
    assert "no known mistake fails double/any_length: worth a second look" in proved.stdout
    assert "- double/zeros: unseen" in (course.root / "with.md").read_text()
    assert NOT_SEEN.format(line=4) in lacking.stdout
    assert "without.md was not written: it says what is proved." in lacking.stdout
    assert not (course.root / "without.md").exists()


ODD = {
    # an assignment of one enabled question → what is said of it at the level "full"
    "nothing is known": "0 mistakes; 0 variants and the reference in 1 run, 0 flakes; 13 of 13",
    "an answer waits": "13 of 13 mutants killed; left out: 1 known answer to a question that is",
}


@pytest.mark.skipif(not LINUX, reason="mutants are run in forked processes")
@pytest.mark.parametrize("what", ODD)
def test_an_assignment_of_which_little_is_known_is_told_truly(course, what):
    """Proved, by its reference and the mutants; and what that does not show is said."""
    manifest = course.root / "assignments/demo/assignment.toml"
    text = manifest.read_text().replace("points = 60", "points = 60\nenabled = false")
    course.write("assignments/demo/assignment.toml", text)
    for name in ("mistakes.py", "variants.py"):
        (course.root / "tests/demo" / name).unlink()
    if what == "an answer waits":
        course.write("tests/demo/mistakes.py", HEAD + UNSEEN.replace('"double"', '"total"'))

    run = course.autograder("verify", "demo", "--level", "full", "--page", "page.md")

    assert (run.returncode, run.stderr) == (0, "")
    assert ODD[what] in run.stdout
    assert "no known mistake in double: none of its checks is known to see one" in run.stdout
    assert "**No known mistake**" in (course.root / "page.md").read_text()


def test_every_kind_of_fault_is_printed_at_once(course):
    """Of the manifest, of a right answer and of a wrong one."""
    manifest = course.root / "assignments/demo/assignment.toml"
    text = manifest.read_text().replace('needs = ["double"]', "")
    course.write("assignments/demo/assignment.toml", text)
    course.write("tests/demo/mistakes.py", HEAD + UNSEEN)
    wrong = "\n@variant('double')\ndef four_times(x):\n    return 4 * x\n"
    course.write("tests/demo/variants.py", HEAD + wrong)

    run = course.autograder("verify", "demo")

    assert run.returncode == 1
    assert "imports step1_double, and 'total' does not need 'double'" in run.stdout
    assert "variants.py:4: variant 'four_times': double/any_length fails it: " in run.stdout
    assert NOT_SEEN.format(line=4) in run.stdout


def test_a_mistake_that_is_not_well_described_ends_the_proof(course):
    """Exit 1, with its line and what to do, and no traceback."""
    course.write("tests/demo/mistakes.py", HEAD + THRICE.replace("Why?", "Why."))

    run = course.autograder("verify", "demo")

    assert run.returncode == 1
    assert "mistakes.py:4: its symptom asks nothing - at thrice" in run.stderr
    assert "Traceback" not in run.stderr
