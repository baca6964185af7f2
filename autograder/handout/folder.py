"""A handout's folder: which files belong to it, and what was found wrong; judges nothing itself."""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path, PurePath
from typing import TypeAlias

from autograder.errors import CourseError

Steps: TypeAlias = Sequence[tuple[int, str]]  # (step number, file name), in order
WRITTEN_HIDDEN = frozenset({".gitignore", ".gitattributes", ".editorconfig", ".python-version"})
_LEFT_BY_TOOLS = frozenset({"__pycache__", "__macosx", "thumbs.db", "desktop.ini", "venv"})
_LEFT_ENDINGS = (".pyc", ".pyo", ".swp", "~")
_OF_AN_ENVIRONMENT = "pyvenv.cfg"  # lies in a virtual environment, whatever that is called


@dataclass(frozen=True)
class Problem:
    """One thing to mend before students get the handout."""

    where: str
    what: str
    fix: str

    def __str__(self) -> str:
        return f"{self.where}: {self.what}\nFix: {self.fix}"


def handout_files(handout: Path) -> list[Path]:
    """Everything that may be seen of `handout`, nested folders included, sorted.

    Links are listed and never followed. Folders that tools leave behind are no part of a handout.
    """
    return sorted(_walk(handout))


def is_left_over(path: PurePath) -> bool:
    """Whether a system or a tool put it there by itself: it is no part of what was written, and
    may hold a secret, as `.env` does."""
    left = any(_is_left_over(part) for part in path.parts)
    return left or path.name.endswith(_LEFT_ENDINGS)


def _is_left_over(name: str) -> bool:
    hidden = name.startswith(".") and name not in WRITTEN_HIDDEN
    return hidden or name.casefold() in _LEFT_BY_TOOLS


def _walk(handout: Path) -> Iterator[Path]:
    for folder, subfolders, names in os.walk(handout):
        here = Path(folder)
        yield from (here / name for name in names)
        subfolders[:] = [name for name in subfolders if not _is_tools_folder(here / name)]
        yield from (here / name for name in subfolders if (here / name).is_symlink())


def _is_tools_folder(folder: Path) -> bool:
    return _is_left_over(folder.name) or (folder / _OF_AN_ENVIRONMENT).is_file()


def read_text(path: Path, undone: str) -> str:
    """The text of one of the course's own files; every line ends in a bare newline.

    Raises:
        CourseError: it is not there, cannot be read, or is not UTF-8; `undone` is its last word.
    """
    try:
        return path.read_text(encoding="utf-8")
    except FileNotFoundError:
        problem, fix = "there is no such file", "write it, or correct the name in assignment.toml."
    except UnicodeDecodeError as error:
        problem, fix = f"expected UTF-8 text, got: {error}", "save it as UTF-8."
    except OSError as error:
        problem, fix = f"cannot be read: {error.strerror or error}", "make it readable."
    raise CourseError(path, problem, fix, undone)
