"""What the instructor points at → the submissions in it, by names alone; no file is read."""

from __future__ import annotations

import contextlib
import itertools
import os
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from autograder.errors import UsageError
from autograder.submissions.folders import open_folder
from autograder.submissions.match import holds_any
from autograder.submissions.names import (
    clean,
    is_own_id,
    is_zip,
    listed,
    safe_id,
    unique_ids,
    visible,
)
from autograder.submissions.refusal import Refused
from autograder.submissions.sources import Listing, Source
from autograder.submissions.staging import entries, find_home, holds_files
from autograder.submissions.submission import Place, Submission
from autograder.submissions.zips import zip_at

CHILDREN_LOOKED_INTO = 50


@dataclass(frozen=True)
class Found:
    """What stands at a path.

    Args:
        submissions: sorted by id.
        ignored: names of what was left alone, fit to be shown.
        kind: one line that says what was recognised.
    """

    submissions: list[Submission]
    ignored: list[str]
    kind: str


def find_submissions(path: Path, files: Sequence[str]) -> Found:
    """Recognise one submission, or a class of them.

    Args:
        path: a file of the assignment, a folder or a zip.
        files: the manifest's file names.

    Raises:
        UsageError: there is nothing at `path`, or nothing that is a submission.
    """
    with _unreadable_is_usage(path):
        found = _look(path, files)
    if found is None:
        problem = f"expected a folder, a .zip or one of {listed(files)}; got none of these"
    elif not found.submissions:
        problem = (
            f"no submission in it: no folder, no .zip and none of {listed(files)}; "
            f"found: {listed(found.ignored) or 'nothing'}"
        )
    else:
        return found
    raise UsageError(
        path,
        problem,
        "name the submission itself, or the folder or zip that holds the submissions.",
    )


def _look(path: Path, files: Sequence[str]) -> Found | None:
    """What stands at `path`; None where it is no folder, no zip and no file of the manifest."""
    resolved = Path(os.path.realpath(path, strict=True))
    named = path.absolute() if path.name not in ("", "..") else resolved
    if resolved.is_dir():
        with open_folder(resolved) as source:
            return _recognise(source, Place(resolved), named.name, files, "folder")
    if not resolved.is_file():
        return None
    if holds_any(files, [resolved.name]):
        return _one(Place(resolved.parent, only=resolved.name), named.stem, files, "file")
    if is_zip(resolved.name):
        archive = zip_at(resolved)
        return _recognise(archive, Place(resolved, root=archive), named.stem, files, "zip")
    return None


def _recognise(source: Source, place: Place, name: str, files: Sequence[str], kind: str) -> Found:
    listing = source.listing(None)
    if holds_any(files, entries(listing, files)):
        if _holds_class(source, listing, files):
            return _class(place, listing, files, kind)
        return _one(place, name, files, kind)
    wrapper = _class_wrapper(source, listing, files)
    if wrapper is None and _is_wrapped(source, listing, files, kind):
        return _one(place, name, files, kind)
    if wrapper is None:
        return _class(place, listing, files, kind)
    with source.enter(wrapper) as inner:
        inside = Place(place.where, place.root, (wrapper,))
        found = _class(inside, inner.listing(None), files, kind)
    beside = _ignored(listing, taken=[wrapper])
    return Found(found.submissions, beside + found.ignored, f"{found.kind}, in {clean(wrapper)}/")


def _is_wrapped(source: Source, listing: Listing, files: Sequence[str], kind: str) -> bool:
    """Whether it is one submission in a folder: in a zip, only zips beside that folder count."""
    folders = visible(listing.folders)
    loose = visible([*listing.files, *listing.others])
    beside = [name for name in loose if kind != "zip" or is_zip(name)]
    return len(folders) == 1 and not beside and holds_files(source, folders[0], files)


def _class_wrapper(source: Source, listing: Listing, files: Sequence[str]) -> str | None:
    """The one folder that holds the class, as a compressed or an unpacked folder often has it."""
    folders = visible(listing.folders)
    if len(folders) != 1 or any(is_zip(name) for name in visible(listing.files)):
        return None
    with contextlib.suppress(Refused), source.enter(folders[0]) as inner:
        if _holds_class(inner, inner.listing(None), files):
            return folders[0]
    return None


def _holds_class(source: Source, listing: Listing, files: Sequence[str]) -> bool:
    """Whether two of its children are submissions, or one beside a folder called like a file."""
    children = [name for name, _ in _children(listing) if name not in files]
    looked_into = children[:CHILDREN_LOOKED_INTO]
    submissions = (name for name in looked_into if _is_submission(source, name, files))
    has_loose = holds_any(files, [*listing.files, *listing.others])
    enough = 1 if not has_loose and holds_any(files, entries(listing, files)) else 2
    return len(list(itertools.islice(submissions, enough))) == enough


def _is_submission(source: Source, name: str, files: Sequence[str]) -> bool:
    with contextlib.suppress(Refused), contextlib.ExitStack() as stack:
        home = find_home(stack.enter_context(source.enter(name)), files, stack)
        return home.holds(files)
    return False


def _children(listing: Listing) -> list[tuple[str, list[str]]]:
    """Each folder and zip with the ids it may have, best first; folders choose before zips."""
    folders = [(name, [name]) for name in visible(listing.folders)]
    zips = [(name, [Path(name).stem, name]) for name in visible(listing.files) if is_zip(name)]
    return folders + zips


def _class(place: Place, listing: Listing, files: Sequence[str], kind: str) -> Found:
    children = _children(listing)
    ids = unique_ids([names for _, names in children])
    submissions = [
        Submission(
            id_,
            tuple(files),
            Place(place.where, place.root, (*place.way, name)),
            _about_id(id_, names),
        )
        for id_, (name, names) in zip(ids, children, strict=True)
    ]
    submissions.sort(key=lambda submission: submission.id)
    plural = "" if len(children) == 1 else "s"
    what = f"a {kind} of {len(children):,} submission{plural}"
    return Found(submissions, _ignored(listing, taken=[name for name, _ in children]), what)


def _about_id(id_: str, names: Sequence[str]) -> tuple[str, ...]:
    if any(is_own_id(name, id_) for name in names):
        return ()
    why = "its name cannot be an id, or another submission has it."
    return (f"{clean(names[0])} was given the id {clean(id_)}: {why}",)


def _one(place: Place, name: str, files: Sequence[str], kind: str) -> Found:
    submission = Submission(safe_id(name), tuple(files), place)
    return Found([submission], [], f"one submission ({kind})")


def _ignored(listing: Listing, taken: Sequence[str]) -> list[str]:
    left = set(listing.files) | set(listing.folders)
    names = [clean(name) for name in visible(left - set(taken))]
    names += [f"{clean(name)} (a link or a special file)" for name in visible(listing.others)]
    return names + [f"{clean(name)} (points out of the zip)" for name in sorted(listing.odd)]


@contextlib.contextmanager
def _unreadable_is_usage(path: Path) -> Iterator[None]:
    try:
        yield
    except FileNotFoundError:
        raise UsageError(path, "there is no such file or folder", "correct the path.") from None
    except Refused:
        raise UsageError(
            path,
            "is no zip, or is damaged or cut short",
            "download it again, or unpack it and name the folder.",
        ) from None
    except (OSError, ValueError) as error:
        reason = getattr(error, "strerror", None) or error
        raise UsageError(
            path, f"cannot be read: {reason}", "correct the path, or make it readable."
        ) from None
