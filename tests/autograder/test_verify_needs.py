"""What references import of each other: a step that is used and not named in `needs` is named."""

from __future__ import annotations

import pytest

from autograder.verify.needs import stray_imports

MANIFEST = "assignments/demo/assignment.toml"
TOTAL = "solutions/demo/step2_total.py"
STRAY = {
    # how step 2 imports step 1 → the line that is named
    "from step1_double import double\n": 1,
    "import numpy as np\nimport step1_double\n": 2,
    "import numpy as np, step1_double as first\n": 1,
    "def total(x):\n    from step1_double import double\n\n    return double(x).sum(-1)\n": 2,
    "if 1:\n\n    from step1_double import (\n        double,\n    )\n": 3,
}


@pytest.fixture
def alone(course):
    """The small course; its second step needs nothing."""
    text = (course.root / MANIFEST).read_text()
    course.write(MANIFEST, text.replace('needs = ["double"]', ""))
    return course


def found(course) -> list[tuple[str, str, str]]:
    """Every problem."""
    return [(one.where, one.what, one.fix) for one in stray_imports(course.assignment)]


def test_a_step_that_is_needed_may_be_imported(course):
    """The manifest says so, however it is written."""
    assert found(course) == []
    for text in STRAY:
        course.write(TOTAL, text)
        assert found(course) == []


@pytest.mark.parametrize("text", STRAY)
def test_a_step_that_is_not_needed_is_named_with_its_line(alone, text):
    """And the key of the manifest that lacks it."""
    path = alone.write(TOTAL, text)

    assert found(alone) == [
        (
            f"{path}:{STRAY[text]}",
            "imports step1_double, and 'total' does not need 'double'",
            "add it to `needs` of 'total' in assignment.toml.",
        )
    ]


def test_what_is_no_step_is_nobodys_business(alone):
    """Packages, a step's own name, and modules whose names begin like a step's."""
    alone.write(TOTAL, "import numpy.linalg\nimport step1_doubles\nfrom step2_total import total\n")

    assert found(alone) == []
