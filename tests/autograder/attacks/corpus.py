"""Every attack: those that are one step file each (corpus/, and in it a folder for each assignment
but the usual one), and those that are made (made.py)."""

from __future__ import annotations

import ast
import functools
import importlib
import shutil
from collections.abc import Mapping
from pathlib import Path
from typing import cast, get_args

from .attack import KINDS, USUAL, Attack, Earns, Places
from .attacked import ATTACKED

FOLDER = Path(__file__).parent / "corpus"
KEYS = ("step", "earns", "where", "spoils", "unconfined")


@functools.cache
def attacks() -> tuple[Attack, ...]:
    """All of them, by name."""
    read = [read_step(path) for path in sorted(FOLDER.glob("*.py"))]
    others = [
        read_step(path, name) for name in ATTACKED for path in sorted(FOLDER.glob(f"{name}/*.py"))
    ]
    found = [*read, *others, *_made()]
    names = [attack.name for attack in found]
    assert len(set(names)) == len(names), "two attacks have one name"
    return tuple(sorted(found, key=lambda attack: attack.name))


def _made() -> list[Attack]:
    if not Path(__file__).with_name("made.py").exists():
        return []
    made: list[Attack] = importlib.import_module(".made", __package__).MADE
    return made


def right_with(folder: Path, files: Mapping[str, str], assignment: str = USUAL) -> None:
    """A submission whose files are the right ones, but for these."""
    shutil.copytree(ATTACKED[assignment].right, folder)
    for name, source in files.items():
        (folder / name).write_text(source, encoding="utf-8")


def read_step(path: Path, assignment: str = USUAL) -> Attack:
    """One step file; its docstring is its description: a sentence, then lines `key: value`."""
    source = path.read_text(encoding="utf-8")
    says, told = _described(ast.get_docstring(ast.parse(source)) or "")
    name, step, earns = path.stem, told.get("step", ""), told.get("earns", "")
    assert name.partition("_")[0] in KINDS, f"{path.name}: expected a kind, then _"
    right = ATTACKED[assignment].right
    assert (right / step).is_file(), f"{path.name}: step: {step!r} is none of {right}"
    assert earns in get_args(Earns), f"{path.name}: earns: {earns!r} is none of {get_args(Earns)}"

    def make(folder: Path, places: Places) -> None:
        right_with(folder, {step: places.fill(source)}, assignment)

    return Attack(
        name,
        says,
        cast("Earns", earns),
        step,
        make,
        where=told.get("where", ""),
        spoils=tuple(told.get("spoils", "").split()),
        unconfined=tuple(told.get("unconfined", "").split()),
        assignment=assignment,
    )


def _described(docstring: str) -> tuple[str, dict[str, str]]:
    """The sentence, and the lines after it by their keys."""
    sentence, told = [], {}
    for line in docstring.splitlines():
        key, colon, value = line.partition(": ")
        if colon and key in KEYS:
            told[key] = value.strip()
        else:
            sentence.append(line)
    return " ".join(sentence).strip(), told
