"""Names for whoever reads them: a spreadsheet, a terminal, a page, or somebody in a hurry."""

from __future__ import annotations

import os
from pathlib import Path

from .attack import Attack, Places
from .making import ELSE, SOFTMAX, Made, made

NAMES: list[Attack] = []


def _named(id_: str, says: str, name: str | bytes | None = None, kind: str = "o") -> Attack:
    """A submission whose folder has that name, and holds nothing that is graded.

    Args:
        id_: what it is called in results and gradebooks.
        name: the folder's; `id_` where there is none.
    """

    def make(folder: Path, places: Places) -> None:
        place = os.path.join(os.fsencode(folder.parent), os.fsencode(name or id_))
        os.mkdir(place)
        Path(os.fsdecode(place), "later.txt").write_text("", encoding="utf-8")

    return Made(id_, says, "nothing", SOFTMAX, make, spoils=ELSE, told=("later.txt",), of_kind=kind)


FORMULAS = (
    '=HYPERLINK("http:⧸⧸evil","a_right")',
    "=cmd|' ⧸C calc'!A0",
    "@SUM(1+1)*cmd|' ⧸C calc'!A0",
    "+1+1",
    "-2+3",
    "\uff1d1+1",
    "o_1;=1+1",
    "o_2,=1+1",
    'o_3;"=1+1',
)
NAMES += [_named(name, "Is called like a formula of a spreadsheet.") for name in FORMULAS]
ESCAPES = "\x1b[31mo_escapes\x1b]0;x\x07\x1b[2J"
LINES = "o_lines\n100 submissions, mean 100.0\r of 100"
TABLES = "o_[bold red]markup[link=http:evil][blink] :smile: [[x]"
PAGES = "o_`` `# **100** <img src=x onerror=alert(1)> [x](javascript:1) | `"
NAMES += [
    _named("[31mo_escapes]0;x[2J", "Colours the terminal, and clears it.", ESCAPES),
    _named("o_gpj.thgir_a", "Is written from right to left.", "o_\u202egpj.thgir_a\u2066"),
    _named("o_zerowidth", "Has characters that nobody sees.", "o_\u200bzero\ufeff\u00adwidth"),
    _named("o_lines100 submissions, mean 100.0 of 100", "Begins a line of its own.", LINES),
    _named("o_\ufffd\ufffd_bytes", "Is no text at all.", b"o_\xff\xfe_bytes"),
    _named(TABLES, "Is markup of the terminal's tables."),
    _named(PAGES, "Is markup of a page."),
    _named("o_" + "x" * 198, "Is as long as a name may be.", "o_" + "x" * 253),
    _named("A_RIGHT-2", "Is a neighbour's name in capitals.", "A_RIGHT", "g"),
    _named(
        "z_right-2", "Is a neighbour's name, and a sign that nobody sees.", "z_right\u200d", "g"
    ),
    _named("results", "Is called like a folder of the grader's.", kind="g"),
    _named("grades.csv", "Is called like the gradebook.", kind="g"),
    _named("step1_projections.py", "Is called like a file of the assignment.", kind="g"),
]


@made(NAMES, "nothing", "=1+1.py", spoils=ELSE)
def o_names_of_files(folder: Path, places: Places) -> None:
    """Files whose names are formulas, escapes, lines, markup and bytes, which a page lists."""
    folder.mkdir()
    for name in (
        b"=1+1.py",
        b";=1+1.py",
        b"\x1b[2J\x1b]8;;http:evil\x07.py",
        "\u202eyp.evil".encode() + b".py",
        b"a\n\n# Full marks\n\nscore: 100 of 100.py",
        b"[bold red]x[blink].py",
        b"```.py",
        b"\xff.py",
    ):
        (folder / os.fsdecode(name)).write_text("")
