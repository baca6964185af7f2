"""Names that others chose, made fit to be printed and to be file names; opens nothing."""

from __future__ import annotations

import itertools
import unicodedata
from collections.abc import Iterable, Sequence

ID_BYTES = 200
SHOWN_CHARACTERS = 80
SHOWN_NAMES = 8
SUFFIX_BYTES = 12  # room for "-2", "-3" … where two names come out the same

_JUNK = frozenset({"__macosx", "__pycache__", "thumbs.db", "desktop.ini"})
_INVISIBLE = frozenset({"Cc", "Cf", "Zl", "Zp"})  # control, bidirectional, line separators


def is_junk(name: str) -> bool:
    """Whether a computer left it there by itself: hidden files, __MACOSX, Thumbs.db …"""
    return name.startswith(".") or name.lower() in _JUNK


def is_zip(name: str) -> bool:
    """Whether the name, not the content, says zip."""
    return name.lower().endswith(".zip")


def visible(names: Iterable[str]) -> list[str]:
    """The names that a person put there, sorted."""
    return sorted(name for name in names if not is_junk(name))


def clean(name: str) -> str:
    """`name` as it may be shown: no control or bidirectional characters, bounded, never empty."""
    text = _printable(name)
    if len(text) > SHOWN_CHARACTERS:
        text = text[: SHOWN_CHARACTERS - 1] + "…"
    return text or "(a name without a printable character)"


def listed(names: Sequence[str]) -> str:
    """The names as they may be shown, the first few of them."""
    shown = ", ".join(clean(name) for name in names[:SHOWN_NAMES])
    rest = len(names) - SHOWN_NAMES
    return f"{shown} and {rest:,} more" if rest > 0 else shown


def safe_id(name: str) -> str:
    """`name` as one path component of at most `ID_BYTES` bytes; the same name, the same id."""
    text = unicodedata.normalize("NFC", _printable(name)).replace("/", "_").replace("\\", "_")
    return _cut(text.strip(" ."), ID_BYTES) or "submission"


def unique_ids(candidates: Sequence[Sequence[str]]) -> list[str]:
    """One id each, the first of its candidates that is still free, also where case does not count.

    Args:
        candidates: names to choose from, best first; at least one each. Those whose best name
            needs the least change to be an id choose first, then earlier ones.
    """
    taken: set[str] = set()
    numbers: dict[str, itertools.count[int]] = {}
    chosen: dict[int, str] = {}
    for at in sorted(range(len(candidates)), key=lambda at: _changes(candidates[at][0])):
        chosen[at] = _free_id([safe_id(name) for name in candidates[at]], taken, numbers)
    return [chosen[at] for at in range(len(candidates))]


def is_own_id(name: str, id_: str) -> bool:
    """Whether the id is the name as it stands, however its accents are written."""
    return unicodedata.normalize("NFC", name) == id_


def _changes(name: str) -> tuple[bool, bool, bool]:
    """How far a name is from an id of its own; the smallest is the name itself in lower case."""
    made = safe_id(name)
    return not is_own_id(name, made), made != _key(made), made != name


def _key(id_: str) -> str:
    """The same for ids that a file system may take for one."""
    return unicodedata.normalize("NFC", id_.casefold())


def _free_id(ids: list[str], taken: set[str], numbers: dict[str, itertools.count[int]]) -> str:
    base = _cut(ids[-1], ID_BYTES - SUFFIX_BYTES)
    numbered = (f"{base}-{n}" for n in numbers.setdefault(base, itertools.count(2)))
    for candidate in itertools.chain(ids, numbered):
        key = _key(candidate)
        if key not in taken:
            taken.add(key)
            return candidate
    raise AssertionError("counting does not end")


def _printable(name: str) -> str:
    kept = (c for c in name if unicodedata.category(c) not in _INVISIBLE)
    return "".join("�" if "\ud800" <= c <= "\udfff" else c for c in kept).strip()


def _cut(text: str, size: int) -> str:
    return text.encode("utf-8")[:size].decode("utf-8", "ignore").rstrip(" .")
