"""Attacks that are no single step file: a followed step 6 beside a wrong step, folders, zips and
names."""

from __future__ import annotations

import dataclasses
from pathlib import Path

from .attack import Attack, Places
from .corpus import FOLDER, read_step, right_with
from .made_folders import FOLDERS
from .made_names import NAMES
from .made_zips import ZIPS

FOLLOWED = FOLDER / "followed"
WRONG = {"step4_softmax.py": "def softmax(scores):\n    return -scores\n"}
EARLIER = ("projections", "scores", "scaling", "softmax", "output")


def _followed(path: Path) -> Attack:
    """A step 6 that is run again with right earlier steps: those beside it are missing, or all
    right but for a wrong softmax where it says that it spoils that."""
    attack = read_step(path)

    def make(folder: Path, places: Places) -> None:
        files = {attack.step: places.fill(path.read_text(encoding="utf-8"))}
        if attack.spoils:
            right_with(folder, {**WRONG, **files})
        else:
            folder.mkdir()
            (folder / attack.step).write_text(files[attack.step], encoding="utf-8")

    return dataclasses.replace(attack, make=make, spoils=attack.spoils or EARLIER)


MADE = [*map(_followed, sorted(FOLLOWED.glob("*.py"))), *FOLDERS, *ZIPS, *NAMES]
