"""Text as Markdown, and points as text; whatever stands in it stays text."""

from __future__ import annotations

import re
import textwrap

from autograder.text import one_line, plain

_WIDTH = 88  # of a code block, which does not wrap by itself


def code(text: str) -> str:
    """`text` as inline code of Markdown, whatever stands in it."""
    line = one_line(text) or "(no name)"
    ticks = "`" * (_longest_run(line) + 1)
    return f"{ticks}{line}{ticks}" if len(ticks) == 1 else f"{ticks} {line} {ticks}"


def fenced(text: str) -> str:
    """`text` as a code block of Markdown that nothing in it can end; long lines are wrapped."""
    lines = plain(text).strip("\n").split("\n")
    block = "\n".join(textwrap.fill(line, _WIDTH, break_long_words=False) for line in lines)
    fence = "`" * max(3, _longest_run(block) + 1)
    return f"{fence}text\n{block}\n{fence}"


def number(points: float) -> str:
    """Points with at most two decimals and no zeros behind: 5, 2.5, 3.33."""
    return f"{points:.2f}".rstrip("0").rstrip(".")


def _longest_run(text: str) -> int:
    return max((len(run) for run in re.findall("`+", text)), default=0)
