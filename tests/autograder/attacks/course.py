"""A copy of the course with canaries planted wherever a secret stands, and a class to be graded in
it. Grades nothing."""

from __future__ import annotations

import csv
import os
import secrets
import shutil
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from .attack import Attack, Places
from .corpus import RIGHT, right_with

ROOT = Path(__file__).resolve().parents[3]
EXAMPLES = RIGHT.parent
LIMITS = "seconds = 4\ncpu_seconds = 8\nmemory_mb = 256\ntotal_seconds = 60\ntimeouts = 1"
LATE = '''"""Step 4, with its imports where they are used."""


def softmax(scores):
    import decimal
    import json

    import numpy as np

    assert json.loads("1") == decimal.Decimal(1)
    powers = np.exp(scores - scores.max(axis=-1, keepdims=True))
    return powers / powers.sum(axis=-1, keepdims=True)
'''
RAISES = '''"""Step 3, by somebody who did not finish."""


def scale_scores(scores, d_k):
    raise ValueError(f"what shape is {scores.shape}?")
'''
NEIGHBOURS = {  # submission: the example whose grades it must have
    "a_right": "right",
    "e_right_with_einsum_and_loops": "right_with_einsum_and_loops",
    "h_flood_of_prints": "flood_of_prints",
    "n_imports_late": "right",
    "q_raises": "no_scaling",
    "u_infinite_loop_in_one_step": "infinite_loop_in_one_step",
    "w_exit_in_one_step": "exit_in_one_step",
    "z_right": "right",
}
CHANGED = {  # of these, one step that is no example's
    "n_imports_late": ("step4_softmax.py", LATE),
    "q_raises": ("step3_scaling.py", RAISES),
}


@dataclass(frozen=True)
class Ground:
    """Everything that one class is graded with, below one folder.

    Args:
        root: the folder.
        names: the ids of all submissions, sorted.
        canaries: what each secret says, by what it is.
    """

    root: Path
    names: list[str] = field(default_factory=list)
    canaries: dict[str, str] = field(default_factory=dict)

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


def make_ground(root: Path, attacks: Iterable[Attack], *, neighbours: Sequence[str]) -> Ground:
    """Copy the course into the empty folder `root`, plant the canaries, and put the class there."""
    ground = Ground(root)
    for name in ("assignments", "solutions", "tests"):
        skipped = shutil.ignore_patterns("__pycache__", "written_by_students", "*.was_run")
        source = ROOT / name / "self_attention"
        shutil.copytree(source, ground.course / name / "self_attention", ignore=skipped)
    for folder in (ground.submissions, ground.out / "results", ground.home):
        folder.mkdir(parents=True)
    _limit(ground.course / "assignments/self_attention/assignment.toml")
    for what, place in {
        "grader": ground.course / "tests/self_attention/test_step4_softmax.py",
        "mistake": ground.course / "tests/self_attention/mistakes_step4.py",
        "example": ground.course / "tests/self_attention/examples/right/step4_softmax.py",
        "reference": ground.course / "solutions/self_attention/step4_softmax.py",
        "earlier result": ground.out / "results/somebody.json",
    }.items():
        _plant(ground, what, [place])
    for name in neighbours:
        changed = dict([CHANGED[name]] if name in CHANGED else [])
        if name in CHANGED:
            right_with(ground.submissions / name, changed)
        else:
            shutil.copytree(EXAMPLES / NEIGHBOURS[name], ground.submissions / name)
    _plant(ground, "neighbour", sorted(ground.submissions.glob("*/step1_projections.py")))
    for attack in attacks:
        attack.make(ground.submissions / f"{attack.name}{attack.suffix}", ground.places)
        ground.names.append(attack.name)
    ground.names.extend(neighbours)
    ground.names.sort()
    return ground


def _limit(manifest: Path) -> None:
    text = manifest.read_text(encoding="utf-8")
    assert "seconds = 5\n" in text
    manifest.write_text(text.replace("seconds = 5\n", f"{LIMITS}\n"), encoding="utf-8")


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


def expected_grades(neighbour: str) -> dict[str, str]:
    """The row that its example has in expected-grades.csv."""
    with (EXAMPLES / "expected-grades.csv").open(encoding="utf-8-sig") as file:
        rows = {row["submission"]: row for row in csv.DictReader(file)}
    return {**rows[NEIGHBOURS[neighbour]], "submission": neighbour}
