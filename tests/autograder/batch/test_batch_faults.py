"""A class whose grading is disturbed, and graded again: all is as if nothing had happened.

`python benchmarks/faults.py` does the same with the bundled assignment, more often. A result that
was cut short or removed is in test_batch_class.py, whatever else was done to one in
test_batch_folder.py.
"""

from __future__ import annotations

import secrets
from random import Random

import pytest

from benchmarks.attempt import attempt
from benchmarks.classroom import Classroom, look
from benchmarks.fault_kinds import FAULTS
from benchmarks.faults import disturb

SEED = secrets.randbits(32)  # of the moments; it stands in what a failing test says
ELSEWHERE = {"result cut short", "results removed"}
RAISES = "def double(x):\n    raise ValueError(x)\n"
WRONG = "def double(x):\n    return 3 * x\n"
LEAVES = "import os\n\n\ndef double(x):\n    os._exit(1)\n"
INLINE = "def total(x):\n    return 2 * x.sum(axis=-1)\n"


@pytest.fixture(scope="module")
def classroom(new_course, tmp_path_factory):
    """Twelve submissions, right and wrong in several ways."""
    course = new_course(tmp_path_factory.mktemp("faults"))
    for number, text in enumerate([WRONG, RAISES, LEAVES] * 2):
        course.submit(f"double-{number}", step1_double=text)
    for number in range(3):
        course.submit(f"inline-{number}", step1_double=WRONG, step2_total=INLINE)
        course.submit(f"right-{number}")
    return Classroom(course.root, "demo", course.submissions, course.root)


@pytest.mark.parametrize(
    "fault", [one for one in FAULTS if one.name not in ELSEWHERE], ids=lambda fault: fault.name
)
def test_after_a_fault_all_is_as_if_nothing_had_happened(classroom, fault):
    """Nobody is lost, scored 0 because of us, or graded twice with different scores."""
    if missing := fault.why_not():
        pytest.skip(missing)

    counts = disturb(classroom, fault, SEED, times=3)

    assert counts.numbers["times"] == (3 if fault.repeats else 1)
    assert counts.problems == [], f"seed {SEED}"


@pytest.mark.parametrize(
    ("spoil", "kind", "whom"),
    [
        (lambda out: (out / "results/right-0.json").unlink(), "lost", ["right-0"]),
        (lambda out: rescore(out, "right-0", "60.0"), "different", ["right-0"]),
        (lambda out: rescore(out, "right-0", "0.0"), "zero", ["right-0"]),
        (lambda out: (out / "feedback/right-0.md").write_text(""), "different", ["right-0"]),
        (lambda out: (out / "feedback/right-0.md").unlink(), "different", ["right-0"]),
        (lambda out: (out / "grades.csv").unlink(), "other", ["grades.csv is another"]),
        (lambda out: (out / "results/.a.tmp").touch(), "other", ["left behind: ['.a.tmp']"]),
    ],
    ids=["lost", "score", "zero", "empty page", "no page", "gradebook", "litter"],
)
def test_what_is_wrong_after_a_fault_is_seen(classroom, spoil, kind, whom):
    """The judge is not blind, whether it was so before the second run or after it."""
    with attempt(classroom, Random(0)) as tried:
        tried.copy_undisturbed()
        tried.before = tried.after = look(tried.out)
        assert not any(tried.violations().values())
        spoil(tried.out)
        tried.after = look(tried.out)
        assert tried.violations()[kind] == whom


def rescore(out, name, score):
    path = out / "results" / f"{name}.json"
    path.write_text(path.read_text().replace('\n  "score": 100.0', f'\n  "score": {score}', 1))
