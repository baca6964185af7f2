"""The small course with a reference that can be mutated."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from .conftest import DemoCourse

FILE = "solutions/demo/step1_double.py"


def solve(
    course: DemoCourse, body: str = "\n    return 2 * x\n", head: str = "import numpy as np\n"
) -> DemoCourse:
    """Write the reference of step 1 with its work between the markers."""
    marked = f"    # BEGIN SOLUTION{body}    # END SOLUTION\n"
    course.write(FILE, f"{head}\n\ndef double(x):\n{marked}")
    return course
