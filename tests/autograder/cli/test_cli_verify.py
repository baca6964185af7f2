"""`autograder verify` as it is typed, and `autograder package`, which takes only what is proved."""

from __future__ import annotations

import msgspec
import pytest

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
    assert "demo: 1 mistakes; 1 variants and the reference in 1 runs, 0 flakes" in run.stdout
    assert "no known mistake fails total/any_length: worth a second look" in run.stdout
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
    assert "NOT PROVED: 1 problems" in verified.stdout
    assert said in packaged.stderr
    assert "Nothing was packaged." in packaged.stderr
    assert not (course.root / "dist").exists()


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
