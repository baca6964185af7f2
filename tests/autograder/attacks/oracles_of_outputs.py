"""What is looked at in all that people read: nothing of a student's is more than text."""

from __future__ import annotations

import csv
import re
import unicodedata
from collections.abc import Iterator
from pathlib import Path

from markdown_it import MarkdownIt

from autograder.outputs import GRADES_ENCODING

from .attack import Attack
from .making import Made
from .oracles import Outcome

SHOWN = "SHOWN:"  # an attack writes it before what no student may read: hidden inputs, their values
FORGED = "FORGED"  # an attack writes it at the beginning of a line, before lines like ours
UNSEEN = {"Cc", "Cf", "Cs", "Zl", "Zp"}
FORMULA = re.compile(
    r"(^|[;\t])\s*[=+\-@\uff1d\uff0b\uff0d\uff20]"
)  # ; is a comma in half of Europe
MARKUP = {"text", "softbreak", "code_inline", "strong_open", "strong_close"}
HEADINGS = re.compile("Notes|[✓✗·!] step [1-6] · [a-z_]+ · .*")
OWN_LINES = re.compile(
    r"\s|submission +score|\d+ submissions?|results/ and feedback/ also hold|wrote |/|isolation: |$"
)


def _strings(told: object) -> Iterator[str]:
    if isinstance(told, str):
        yield told
    elif isinstance(told, dict):
        yield from (text for pair in told.items() for one in pair for text in _strings(one))
    elif isinstance(told, list):
        yield from (text for one in told for text in _strings(one))


def _pages(outcome: Outcome) -> dict[str, str]:
    folder = outcome.ground.out / "feedback"
    return {path.name.removesuffix(".md"): path.read_text() for path in folder.glob("*.md")}


def unseen(outcome: Outcome) -> list[str]:
    """No control, bidirectional or invisible character, but for the ends of lines."""
    files = [path for path in outcome.ground.out.rglob("*") if path.is_file()]
    texts = {"stdout": outcome.ran.stdout, "stderr": outcome.ran.stderr}
    texts |= {str(path): path.read_bytes().decode("utf-8-sig") for path in files}
    texts |= {f"the name {path.name}": path.name for path in files}
    for name, result in outcome.results.items():
        texts[f"result of {name}"] = "".join(_strings(result))
    found = []
    for where, text in texts.items():
        odd = {one for one in text if unicodedata.category(one) in UNSEEN} - {"\n"}
        found += [f"{where}: {''.join(sorted(odd))!a}"] * bool(odd)
    return found


def formulas(outcome: Outcome) -> list[str]:
    """No cell of grades.csv is a formula, whatever a spreadsheet takes for the end of a cell."""
    text = (outcome.ground.out / "grades.csv").read_bytes().decode(GRADES_ENCODING)
    rows = list(csv.reader(text.splitlines()))
    return [cell for row in rows for cell in row if FORMULA.search(cell)]


def broken_pages(outcome: Outcome) -> list[str]:
    """Every page has our headings, and whatever else stands in it is text or a block of code."""
    found = []
    for name, page in _pages(outcome).items():
        tokens = MarkdownIt().parse(page)
        inline = [child for token in tokens for child in token.children or []]
        found += [f"{name}: {one.type}" for one in inline if one.type not in MARKUP]
        found += [f"{name}: HTML" for one in tokens if one.type == "html_block"]
        titles = [tokens[at + 1] for at, one in enumerate(tokens) if one.type == "heading_open"]
        said = [one.content for one in titles if one.content != outcome.ground.attacked.title]
        odd = [one for one in said if not HEADINGS.fullmatch(one)]
        found += [f"{name}: {one}" for one in [*odd, *_outside(page)]]
        if len(titles) != len(outcome.results[name]["questions"]) + 1 + ("## Notes" in page):
            found.append(f"{name}: {len(titles)} headings")
    return found


def _outside(page: str) -> list[str]:
    """Lines that an attack forged and that stand in no block of code."""
    lines, fence = [], ""
    for line in page.splitlines():
        ticks = re.match("`{3,}", line)
        if fence:
            fence = "" if line == fence else fence
        elif ticks:
            fence = ticks[0]
        else:
            lines.append(line)
    return [line for line in lines if FORGED in line]


def forged_lines(outcome: Outcome) -> list[str]:
    """Every line that is printed is one of ours, or begins with the name of a submission."""
    names = tuple(outcome.results)
    lines = f"{outcome.ran.stdout}\n{outcome.ran.stderr}".splitlines()
    found = [line for line in lines if not OWN_LINES.match(line) and not line.startswith(names)]
    cut = tuple(name[:30] for name in names if len(name) > 40)  # a long one is cut by the table
    return [line for line in found if not cut or not line.startswith(cut)]


def shown(outcome: Outcome, attack: Attack) -> list[str]:
    """No student reads what an attack saw in a hidden check."""
    told = _pages(outcome)[attack.name]
    for question in outcome.results[attack.name]["questions"]:
        told += "".join(f"\n{one['message']}\n{one['answer']}" for one in question["checks"])
    return [told[at : at + 200] for at in [told.find(SHOWN)] if at >= 0]


def not_told(outcome: Outcome, attack: Attack) -> list[str]:
    """Its owner reads what was wrong with what they handed in."""
    if not isinstance(attack, Made):
        return []
    page = " ".join(_pages(outcome)[attack.name].split())
    return [words for words in attack.told if words not in page]


def too_long(outcome: Outcome) -> list[str]:
    """No page, result or line is longer than anybody would read."""
    files = [Path(path) for path in outcome.ground.out.rglob("*") if path.is_file()]
    found = [f"{path.name}: {path.stat().st_size} bytes" for path in files if _is_long(path)]
    lines = f"{outcome.ran.stdout}\n{outcome.ran.stderr}".splitlines()
    return found + [f"{line[:80]} ..." for line in lines if len(line) > 20_000]


def _is_long(path: Path) -> bool:
    return path.name != "grades.csv" and path.stat().st_size > 500_000


OF_AN_ENVIRONMENT = (unseen, formulas, broken_pages, forged_lines, too_long)
OF_AN_ATTACK = (shown, not_told)
