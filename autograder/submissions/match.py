"""Which of the names that are there stands for which file of the manifest; opens nothing.

Accepted beside the exact name, because computers make them without being asked: other letter
case, `.py.txt` and ` - Copy` (Windows), ` copy` and ` 2` (macOS), ` (1)` and `(1)` (browsers),
`-1` (Canvas, Safari). None of these marks can be part of a manifest's name; `_1` could.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass

_MARK = r"(?: ?\(\d{1,3}\)| - copy(?: \(\d{1,3}\))?| copy(?: \d{1,3})?| \d{1,3}|-\d{1,3})"
_SPELLING = re.compile(rf"(?P<stem>[a-z0-9_]+){_MARK}{{0,2}}\.py(?:\.txt)?")


@dataclass(frozen=True)
class Match:
    """One file of the manifest among the names that are there.

    Args:
        file: the manifest's name.
        used: the name to read; None when there is none, or several and none exact.
        unused: other names that could have been meant.
    """

    file: str
    used: str | None
    unused: tuple[str, ...]


def match_files(files: Sequence[str], names: Collection[str]) -> list[Match]:
    """For each of the manifest's `files` the one of `names` to read, in the manifest's order."""
    others = sorted(set(names) - set(files))
    return [_match(file, file in names, others) for file in files]


def holds_any(files: Sequence[str], names: Iterable[str]) -> bool:
    """Whether one of `names` stands for one of the manifest's `files`."""
    wanted = {file.lower() for file in files}
    return any(name in files or _plain(name) in wanted for name in names)


def _match(file: str, is_there: bool, others: list[str]) -> Match:
    candidates = tuple(name for name in others if _plain(name) == file.lower())
    if is_there:
        return Match(file, file, candidates)
    if len(candidates) == 1:
        return Match(file, candidates[0], ())
    return Match(file, None, candidates)


def _plain(name: str) -> str | None:
    """The name without what a computer adds to it, in lower case."""
    spelling = _SPELLING.fullmatch(name.lower()) if name.isascii() else None
    return f"{spelling['stem']}.py" if spelling else None
