"""Anybody's text made harmless for a page, a terminal or a cell; judges nothing of its content."""

from __future__ import annotations

import re
import textwrap
import unicodedata

_WIDTH = 88  # of a code block, which does not wrap by itself
_BREAKS = re.compile("\r\n|[\r\x0b\x0c\x1c-\x1e\x85\u2028\u2029]")
_GONE = frozenset({"Cc", "Cf", "Cs", "Co", "Cn"})  # control, bidi and zero width, surrogates


def plain(text: str, limit: int = 2_000) -> str:
    """`text` without control, bidi and invisible characters; lines stay lines.

    Args:
        limit: how many characters are left at most.
    """
    lines = _BREAKS.sub("\n", text[: 4 * limit]).expandtabs(4)
    kept = "".join(one for one in lines if one == "\n" or unicodedata.category(one) not in _GONE)
    return kept if len(kept) <= limit else kept[: limit - 4] + " ..."


def one_line(text: str, limit: int = 200) -> str:
    """`plain` text with every run of white space as one space."""
    line = " ".join(plain(text, 4 * limit).split())
    return line if len(line) <= limit else line[: limit - 4] + " ..."


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
