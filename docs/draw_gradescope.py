"""Draws what a student sees of a results.json, before and after grades are published.

    python docs/draw_gradescope.py                grades a bundled example, and draws its report
    python docs/draw_gradescope.py results.json   draws the report in that file

Rows, order, words and points are the report's; Gradescope's own page arranges them in its own way.
The report and both pictures are written to docs/pictures/.
"""

from __future__ import annotations

import io
import re
import shutil
import subprocess
import sys
import tempfile
import zipfile
from collections.abc import Iterator
from html import escape
from pathlib import Path

import msgspec
from rich.console import Console, Group, RenderableType
from rich.markdown import Markdown
from rich.padding import Padding
from rich.rule import Rule
from rich.table import Table
from rich.terminal_theme import TerminalTheme
from rich.text import Text

from autograder.files import write_atomically
from autograder.gradescope.spec import Report, Row, decode_report, encode_report
from autograder.markdown import number

ROOT = Path(__file__).resolve().parents[1]
PICTURES = ROOT / "docs" / "pictures"
REPORT = PICTURES / "results.json"
ASSIGNMENT, EXAMPLE = "self_attention", "no_scaling"

TITLES = {
    "before": "What a student sees before grades are published",
    "after": "What the same student sees once grades are published",
}
WIDTH, INDENT = 104, 13  # characters
FONT_ASPECT = 0.602  # of the fonts named below
BLACK, GREEN, RED, GREY = (31, 35, 40), (17, 99, 41), (164, 14, 38), (89, 99, 110)
STYLES = {"passed": "rgb(17,99,41)", "failed": "bold rgb(164,14,38)", None: "default"}
PAPER = TerminalTheme((255, 255, 255), BLACK, [BLACK, RED, GREEN, GREY, GREY, GREY, GREY, GREY])
# No font and nothing else is fetched: a page may not, and a picture should look the same offline.
SVG = """\
<svg role="img" viewBox="-12 -8 {{width}} {{height}}" xmlns="http://www.w3.org/2000/svg">
<title>{title}</title>
<style>
.{{unique_id}}-matrix {{{{
  font-family: ui-monospace, "DejaVu Sans Mono", Menlo, Consolas, monospace;
  font-size: {{char_height}}px;
}}}}
{{styles}}
</style>
<rect x="-12" y="-8" width="100%" height="100%" fill="#ffffff"/>
<g class="{{unique_id}}-matrix">
{{backgrounds}}{{matrix}}
</g>
</svg>
"""


def main() -> None:
    """Write the report and its pictures."""
    given = sys.argv[1:]
    report = decode_report(Path(given[0]).read_bytes() if given else graded())
    # Another time on every run, and on no page.
    report = msgspec.structs.replace(report, execution_time=None)
    write_atomically(REPORT, encode_report(report) + b"\n")
    for moment in TITLES:
        write_atomically(picture(moment), drawn(report, moment).encode())
    print(f"wrote {PICTURES}: {', '.join(sorted(path.name for path in PICTURES.iterdir()))}")


def graded() -> bytes:
    """The report on a bundled example, packaged and graded as on Gradescope."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        _autograder("package", ASSIGNMENT, "--course", str(ROOT), "--out", str(folder / "dist"))
        grounds = folder / "autograder"
        with zipfile.ZipFile(folder / "dist" / f"{ASSIGNMENT}-autograder.zip") as archive:
            archive.extractall(grounds / "source")
        examples = ROOT / "tests" / ASSIGNMENT / "examples"
        shutil.copytree(examples / EXAMPLE, grounds / "submission")
        (grounds / "results").mkdir()
        (grounds / "submission_metadata.json").write_text("{}")
        _autograder("gradescope", str(grounds))
        return (grounds / "results" / "results.json").read_bytes()


def _autograder(*arguments: str) -> None:
    command = [sys.executable, "-I", "-m", "autograder", *arguments]
    subprocess.run(command, stdout=subprocess.DEVNULL, check=True)


def picture(moment: str) -> Path:
    """Where the picture of that moment lies."""
    return PICTURES / f"gradescope-{moment}.svg"


def drawn(report: Report, moment: str) -> str:
    """The picture of a report at that moment, a key of TITLES; the same report, the same text."""
    console = Console(  # all that it would else ask the terminal and the environment
        file=io.StringIO(),
        record=True,
        width=WIDTH,
        force_terminal=True,
        force_jupyter=False,
        legacy_windows=False,
        color_system="truecolor",
        no_color=False,
    )
    console.print(_page(report, moment))
    svg = console.export_svg(
        theme=PAPER,
        code_format=SVG.format(title=escape(TITLES[moment])),
        font_aspect_ratio=FONT_ASPECT,
        unique_id=f"gradescope-{moment}",
    )
    svg = re.sub(r' clip-path="[^"]*"', "", svg)  # of a window, which is not drawn here
    return "".join(f"{line.rstrip()}\n" for line in svg.splitlines())


def shown(report: Report, moment: str) -> list[Row]:
    """The rows that a student sees at that moment."""
    waited_for = {"after_due_date", "after_published"} if moment == "after" else set()
    seen = {"visible", None, *waited_for}
    return [row for row in report.tests or [] if row.visibility in seen]


def _page(report: Report, moment: str) -> RenderableType:
    said = report.output or ""
    return Group(
        Text(TITLES[moment], style="bold"),
        Text(f"Total: {_total(report, moment)}"),
        "",
        Markdown(said) if report.output_format == "md" else Text(said),
        *_blocks(shown(report, moment)),
    )


def _total(report: Report, moment: str) -> str:
    """Gradescope shows no total for as long as a row is not shown."""
    rows = report.tests or []
    if len(shown(report, moment)) < len(rows):
        return "not shown yet"
    earned = sum(row.score or 0.0 for row in rows) if report.score is None else report.score
    return f"{number(earned)} of {number(sum(row.max_score or 0.0 for row in rows))} points"


def _blocks(rows: list[Row]) -> Iterator[RenderableType]:
    """The rows, with a line before each step."""
    step = None
    for row in rows:
        if (row.number or "").partition(".")[0] != step:
            step = (row.number or "").partition(".")[0]
            yield Rule(style="rgb(208,215,222)", characters="─")
        yield _line(row)


def _line(row: Row) -> RenderableType:
    points = f"{number(row.score or 0.0)} of {number(row.max_score)}" if row.max_score else ""
    status = {"passed": "passed", "failed": "FAILED", None: ""}[row.status]
    table = Table.grid(padding=(0, 1, 0, 0), expand=True)
    table.add_column(width=4)
    table.add_column(width=6, style=STYLES[row.status])
    table.add_column(ratio=1)
    table.add_column(width=12, justify="right")
    table.add_row(row.number or "", status, Text(row.name or ""), points)
    words = [Padding(Text(row.output), (0, 0, 0, INDENT))] if row.output else []
    return Group(table, *words)


if __name__ == "__main__":
    main()
