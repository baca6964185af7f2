"""Our idea of what is cut against otter's."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from autograder.errors import CourseError
from autograder.handout.markers import find_marked
from autograder.handout.stubs import cut_by_otter

MARKERS = [
    "# BEGIN SOLUTION",
    "    # BEGIN SOLUTION  ",
    "# BEGIN SOLUTION NO PROMPT",
    "# END SOLUTION",
    "return x  # END SOLUTION",
    "x = 1 # BEGIN SOLUTION",
    '""" # BEGIN PROMPT',
    '""" # END PROMPT',
    "x = y  # SOLUTION",
    "call(x)  #SOLUTION",
    "x = 1  # SOLUTION NO PROMPT",
    "seed = 1  # SEED",
    "#  SOLUTION",
    "# begin solution",
]


@given(st.lists(st.sampled_from([*MARKERS, "keep"]), max_size=12))
def test_what_we_call_cut_is_what_otter_cuts(kinds):
    """The leak check may not think a line public that otter hides, nor the other way round."""
    lines = [f"keep_{at}" if kind == "keep" else kind for at, kind in enumerate(kinds)]
    try:
        marked = find_marked("\n".join(lines), "here")
    except CourseError:
        return  # otter lets some nested blocks pass; we refuse them, which is the safe side

    stripped = cut_by_otter(lines, "here")

    kept = [line for at, line in enumerate(lines) if at not in marked.cut]
    assert kept == [line for line in stripped if not line.strip().endswith("...")]


@given(st.lists(st.sampled_from([*MARKERS, "keep"]), max_size=12))
def test_whatever_otter_refuses_we_refuse(kinds):
    """otter's assertions vanish under `python -O`; ours do not."""
    try:
        find_marked("\n".join(kinds), "here")
    except CourseError:
        return

    cut_by_otter(kinds, "here")
