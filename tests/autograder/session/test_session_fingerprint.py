"""The key of a result: equal exactly when grading again would give the same."""

from __future__ import annotations

from dataclasses import replace

import pytest

from autograder.session import assignment_fingerprint, submission_key
from autograder.submissions import Staged

STAGED = Staged("alice", {"a.py": "x = 1\n"}, {"b.py": "It is missing."}, ("A note.",))
KEY = submission_key("fingerprint", STAGED, 1)


@pytest.mark.parametrize(
    "file",
    [
        "tests/demo/test_double.py",
        "tests/demo/conftest.py",
        "tests/conftest.py",
        "solutions/demo/step1_double.py",
        "assignments/demo/test_public_double.py",
        "assignments/demo/assignment.toml",
    ],
)
def test_whatever_decides_a_verdict_is_in_the_fingerprint(course, file):
    """Graders and what they share, references, public checks, the manifest."""
    before = assignment_fingerprint(course.assignment)
    path = course.root / file
    course.write(file, (path.read_text() if path.exists() else "") + "\n# changed\n")

    assert assignment_fingerprint(course.assignment) != before


@pytest.mark.parametrize(
    "file", ["tests/demo/examples/odd/step1_double.py", "tests/unit/test_x.py", "README.md"]
)
def test_what_decides_nothing_is_not(course, file):
    """An example or a page that is new regrades nobody."""
    before = assignment_fingerprint(course.assignment)
    course.write(file, "# new\n")

    assert assignment_fingerprint(course.assignment) == before


@pytest.mark.parametrize(
    "other",
    [
        replace(STAGED, submission="bob"),
        replace(STAGED, files={"a.py": "x = 2\n"}),
        replace(STAGED, files={"c.py": "x = 1\n"}),
        replace(STAGED, problems={"b.py": "It is too large."}),
        replace(STAGED, notes=()),
        replace(STAGED, submitted_at="2025-01-01T00:00:00Z"),
    ],
)
def test_every_part_of_a_submission_is_in_its_key(other):
    """Whatever would stand in the new result and not in the old one."""
    assert submission_key("fingerprint", other, 1) != KEY


def test_graders_and_seed_are_in_the_key():
    """And nothing that changes from run to run."""
    assert submission_key("other", STAGED, 1) != KEY
    assert submission_key("fingerprint", STAGED, 2) != KEY
    assert submission_key("fingerprint", replace(STAGED), 1) == KEY
