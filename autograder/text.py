"""Anybody's text made harmless for a page, a terminal or a cell; judges nothing of its content."""

from __future__ import annotations

import re
import unicodedata

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


def last_line(traceback: str) -> str:
    """Of a traceback the line that names the exception, as pytest writes it."""
    told = [line for line in traceback.splitlines() if line.strip()]
    return one_line(told[-1].removeprefix("E   ")) if told else "nobody knows why"


def joined(words: list[str], last: str = "and") -> str:
    """ "a", "a and b", "a, b and c"."""
    if len(words) < 2:
        return "".join(words)
    return f"{', '.join(words[:-1])} {last} {words[-1]}"


def one_line(text: str, limit: int = 200) -> str:
    """`plain` text with every run of white space as one space."""
    line = " ".join(plain(text, 4 * limit).split())
    return line if len(line) <= limit else line[: limit - 4] + " ..."
