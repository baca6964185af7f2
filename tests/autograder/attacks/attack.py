"""What an attack is, and what it is told; reads none and runs none."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, fields
from pathlib import Path
from typing import Literal

KINDS = {
    "d": "break",
    "f": "follow-through",
    "g": "grading machinery",
    "o": "outputs",
    "p": "protocol",
    "r": "read secrets",
    "s": "undo the sandbox",
    "t": "tamper",
    "v": "values",
    "x": "leak out",
}
Earns = Literal["nothing", "its step", "some"]
USUAL = "self_attention"  # what is attacked where nothing else is said
GAINED = "GAINED"  # an attack writes it before what it got that it must not get, and it is searched


@dataclass(frozen=True)
class Places:
    """What every attack is told, so that nothing is safe only because it was not found."""

    course_folder: Path
    out_folder: Path
    submissions_folder: Path

    def fill(self, source: str) -> str:
        """`source` with these paths in the place of COURSE_FOLDER and its like."""
        for field in fields(self):
            source = source.replace(field.name.upper(), str(getattr(self, field.name)))
        return source


@dataclass(frozen=True)
class Attack:
    """One hostile submission.

    Args:
        name: its submission's id too; the first letter is its kind.
        says: what it tries, in one sentence.
        earns: what its honest part earns of its step's points: none, all, or anything up to all.
        step: the file whose place it takes; empty: it is about no step, and `earns` is of no use.
        make: writes the submission: given the path of a folder that is not there yet.
        where: the system it needs, as `sys.platform` says it; empty: any.
        spoils: other questions that may lose points by it.
        suffix: of what `make` makes, where that is no folder: `.zip`.
        unconfined: the oracles that must find it where student code runs in the grader's process;
            empty: it is not run there.
        assignment: what it is handed in for.
    """

    name: str
    says: str
    earns: Earns
    step: str
    make: Callable[[Path, Places], None]
    where: str = ""
    spoils: tuple[str, ...] = ()
    suffix: str = ""
    unconfined: tuple[str, ...] = ()
    assignment: str = USUAL

    @property
    def kind(self) -> str:
        """One of KINDS."""
        return self.name[0]

    @property
    def case(self) -> str:
        """What its tests are called, after their environment's name."""
        return f"{self.assignment}-{self.name}"
