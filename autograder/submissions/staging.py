"""Source → Staged: which entry is which file, and why a file is not read; nothing here raises for
what a student handed in."""

from __future__ import annotations

import contextlib
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from autograder.submissions.match import Match, holds_any, match_files
from autograder.submissions.names import clean, is_zip, listed, visible
from autograder.submissions.refusal import Refused
from autograder.submissions.sources import Listing, Source
from autograder.submissions.staged import Staged
from autograder.submissions.text import decode

FOLDERS_LOOKED_INTO = 20


@dataclass(frozen=True)
class Home:
    """Where in a submission the assignment's files stand.

    Args:
        odd: names in its zip that point out of it.
    """

    source: Source
    listing: Listing
    odd: tuple[str, ...]

    def holds(self, files: Sequence[str]) -> bool:
        """Whether one of the assignment's files is here."""
        return holds_any(files, entries(self.listing, files))


def stage(submission: str, files: Sequence[str], source: Source) -> Staged:
    """Read one submission; each of `files` ends in `files` or in `problems`.

    Args:
        submission: its id.
        files: the manifest's names.

    Raises:
        OSError: a fault of the machine, not of the submission.
    """
    with contextlib.ExitStack() as stack:
        try:
            home = find_home(source, files, stack)
        except Refused as refusal:
            return refused(submission, files, str(refusal))
        return _read(submission, files, home)


def refused(submission: str, files: Sequence[str], reason: str) -> Staged:
    """A submission of which nothing can be read, for one reason."""
    return Staged(submission, {}, dict.fromkeys(files, reason), (reason,))


def find_home(source: Source, files: Sequence[str], stack: contextlib.ExitStack) -> Home:
    """The top of a submission, else the one folder in it, else the one zip, that holds `files`.

    Args:
        stack: closes what had to be opened.

    Raises:
        Refused: several folders hold them, or the zip cannot be read.
    """
    home = _top_or_folder(source, files, stack)
    zips = [name for name in visible(home.listing.files) if is_zip(name)]
    if home.holds(files) or len(zips) != 1:
        return home
    try:
        inner = _top_or_folder(stack.enter_context(home.source.enter(zips[0])), files, stack)
    except Refused:
        if _everything(home.listing) == zips:
            raise
        return home
    return inner if inner.holds(files) or _everything(home.listing) == zips else home


def entries(listing: Listing, files: Sequence[str]) -> list[str]:
    """The names that could stand for a file: a folder only where it has a file's exact name."""
    folders = [name for name in listing.folders if name in files]
    return visible([*listing.files, *listing.others, *folders])


def holds_files(source: Source, name: str, files: Sequence[str]) -> bool:
    """Whether the folder or zip `name` holds one of `files` at its top."""
    try:
        with source.enter(name) as inner:
            return holds_any(files, entries(inner.listing(), files))
    except Refused:
        return False


def _top_or_folder(source: Source, files: Sequence[str], stack: contextlib.ExitStack) -> Home:
    listing = source.listing()
    if holds_any(files, entries(listing, files)):
        return Home(source, listing, listing.odd)
    folders = visible(listing.folders)[:FOLDERS_LOOKED_INTO]
    holding = [name for name in folders if holds_files(source, name, files)]
    if len(holding) > 1:
        raise Refused(
            f"The assignment's files stand in several folders: {listed(holding)}. "
            "Hand in one set of them, without folders."
        )
    if not holding:
        return Home(source, listing, listing.odd)
    inner = stack.enter_context(source.enter(holding[0]))
    return Home(inner, inner.listing(), listing.odd)


def _read(submission: str, files: Sequence[str], home: Home) -> Staged:
    texts: dict[str, str] = {}
    problems: dict[str, str] = {}
    notes: list[str] = []
    matches = match_files(files, entries(home.listing, files))
    for match in matches:
        try:
            if match.used is None:
                raise Refused(_not_there(match))
            texts[match.file], note = decode(clean(match.used), home.source.read(match.used))
            notes += [note] if note else []
        except Refused as refusal:
            problems[match.file] = str(refusal)
        notes += _about_names(match)
    if not texts:
        notes += [problems[match.file] for match in matches if match.used or match.unused]
    notes += _left_alone(home, matches, nothing_read=not texts)
    return Staged(submission, texts, problems, tuple(notes))


def _not_there(match: Match) -> str:
    if match.unused:
        return (
            f"{match.file} is missing, and several files could be it: {listed(match.unused)}. "
            f"Hand in one of them, named {match.file}."
        )
    return f"{match.file} is missing from what was handed in."


def _about_names(match: Match) -> Iterable[str]:
    if match.used not in (None, match.file):
        yield f"{match.used} was taken for {match.file}."
    if match.used and match.unused:
        yield f"Not used, since {match.file} is there: {listed(match.unused)}."


def _left_alone(home: Home, matches: Sequence[Match], nothing_read: bool) -> Iterable[str]:
    """What a student may have thought would be graded."""
    if home.odd:
        yield (
            f"Left alone, since their names point out of the zip: {listed(sorted(home.odd))}. "
            "Make the zip again with your computer's own tool."
        )
    known = {name for match in matches for name in (match.used, *match.unused) if name}
    rest = [name for name in _everything(home.listing) if name.removesuffix("/") not in known]
    if nothing_read and not known:
        deeper = " (one folder down is looked at, no deeper)" if any(map(_is_folder, rest)) else ""
        found = listed(rest) or "nothing"
        yield f"None of the assignment's files was handed in; found: {found}{deeper}."
    elif any(match.used is None for match in matches):
        if rest:
            yield f"Also found, and left alone: {listed(rest)}."
    elif own := [name for name in rest if _looks_like_work(name)]:
        yield f"Left alone, since only the assignment's own files are graded: {listed(own)}."


def _everything(listing: Listing) -> list[str]:
    folders = [f"{name}/" for name in visible(listing.folders)]
    return sorted([*visible([*listing.files, *listing.others]), *folders])


def _looks_like_work(name: str) -> bool:
    is_test = name == "conftest.py" or name.startswith("test_")
    return name.endswith((".py", ".ipynb")) and not is_test


def _is_folder(name: str) -> bool:
    return name.endswith("/")
