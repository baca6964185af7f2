"""A copy of the course with canaries planted wherever a secret stands, and a class to be graded in
it. Grades nothing."""

from __future__ import annotations

import os
import re
import secrets
import shutil
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from .attack import USUAL, Attack, Places
from .attacked import ATTACKED, ROOT, Attacked
from .corpus import right_with


@dataclass(frozen=True)
class Ground:
    """Everything that one class is graded with, below one folder.

    Args:
        root: the folder.
        names: the ids of all submissions, sorted.
        canaries: what each secret says, by what it is.
        assignment: what is graded.
    """

    root: Path
    names: list[str] = field(default_factory=list)
    canaries: dict[str, str] = field(default_factory=dict)
    assignment: str = USUAL

    @property
    def attacked(self) -> Attacked:
        """What is known of the assignment."""
        return ATTACKED[self.assignment]

    @property
    def course(self) -> Path:
        """The course's copy."""
        return self.root / "course"

    @property
    def submissions(self) -> Path:
        """The class."""
        return self.root / "submissions"

    @property
    def out(self) -> Path:
        """Where grades go; a result of somebody else's lies there already."""
        return self.root / "out"

    @property
    def home(self) -> Path:
        """HOME of whoever grades."""
        return self.root / "home"

    @property
    def places(self) -> Places:
        """What attacks are told."""
        return Places(self.course, self.out, self.submissions)

    def snapshot(self) -> dict[str, object]:
        """Every file that nobody may change while a class is graded, with all that can change."""
        found: dict[str, object] = {}
        for folder in (self.course, self.submissions, self.home):
            for path in [folder, *folder.rglob("*")]:
                told = path.lstat()
                content = path.read_bytes() if path.is_file() and not path.is_symlink() else b""
                kept = (told.st_mode, told.st_uid, told.st_nlink, told.st_mtime_ns, content)
                found[str(path)] = kept
        return found


def make_ground(
    root: Path, attacks: Iterable[Attack], *, neighbours: Sequence[str], assignment: str = USUAL
) -> Ground:
    """Copy the course into the empty folder `root`, plant the canaries, and put the class there."""
    ground = Ground(root, assignment=assignment)
    for name in ("assignments", "solutions", "tests"):
        skipped = shutil.ignore_patterns("__pycache__", "written_by_students", "*.was_run")
        source = ROOT / name / assignment
        shutil.copytree(source, ground.course / name / assignment, ignore=skipped)
    for folder in (ground.submissions, ground.out / "results", ground.home):
        folder.mkdir(parents=True)
    _limit(ground)
    attacked = ground.attacked
    graders = ground.course / "tests" / assignment
    for what, place in {
        "grader": graders / f"test_{attacked.secret}",
        "mistake": graders / attacked.mistakes,
        "example": graders / "examples/right" / attacked.secret,
        "reference": ground.course / "solutions" / assignment / attacked.secret,
        "earlier result": ground.out / "results/somebody.json",
    }.items():
        _plant(ground, what, [place])
    for name in neighbours:
        changed = dict([attacked.changed[name]] if name in attacked.changed else [])
        if changed:
            right_with(ground.submissions / name, changed, assignment)
        else:
            example = attacked.examples / attacked.neighbours[name]
            shutil.copytree(example, ground.submissions / name)
    _plant(ground, "neighbour", sorted(ground.submissions.glob("*/step1_*.py")))
    for attack in attacks:
        attack.make(ground.submissions / f"{attack.name}{attack.suffix}", ground.places)
        ground.names.append(attack.name)
    ground.names.extend(neighbours)
    ground.names.sort()
    return ground


def _limit(ground: Ground) -> None:
    """Nobody is waited for longer than an attack needs to be seen."""
    manifest = ground.course / "assignments" / ground.assignment / "assignment.toml"
    text = manifest.read_text(encoding="utf-8")
    limited, count = re.subn(r"\[limits\]\n(.+\n)*", f"[limits]\n{ground.attacked.limits}\n", text)
    assert count == 1, f"{manifest} has no limits"
    manifest.write_text(limited, encoding="utf-8")


def _plant(ground: Ground, what: str, places: list[Path]) -> None:
    """Write a canary as a value that Python keeps in memory while the file is in use."""
    ground.canaries[what] = f"CANARY-{secrets.token_hex(16)}"
    for place in places:
        with place.open("a", encoding="utf-8") as file:
            file.write(f"\n_KEPT = '{ground.canaries[what]}'\n")


def give_to(root: Path, uid: int) -> None:
    """Make everything below the folder, and the folder, somebody's own."""
    for path in [root, *root.rglob("*")]:
        os.chown(path, uid, uid, follow_symlinks=False)


def open_to_all(root: Path) -> None:
    """Let anybody read and write all of it, so that Unix permissions are no help."""
    for path in [root, *root.rglob("*")]:
        if not path.is_symlink():
            path.chmod(0o777 if path.is_dir() else 0o666)
