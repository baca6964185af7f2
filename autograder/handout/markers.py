"""Which lines of a solution otter assign's markers cut; reads text only, and does not import otter.

The rules are otter's own (`otter.assign.solutions.replace_solutions`); a test compares the two.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

from autograder.errors import CourseError

UNDONE = "No stub was written."
MARKER = re.compile(
    r"#[ \t]*(?i:BEGIN|END)[ \t]+(?i:SOLUTION|PROMPT)\b"
    r"|\b(?:BEGIN|END)[ \t]+(?:SOLUTION|PROMPT)\b"
    r"|#[ \t]*SOLUTION\b"
)
_DROPPED = ("# SOLUTION NO PROMPT", "# BEGIN PROMPT", "# END PROMPT", "# SEED")
_BEGIN = re.compile(r"\s*# BEGIN SOLUTION")
_END = "# END SOLUTION"
_LINE = re.compile(r"# ?SOLUTION")


@dataclass(frozen=True)
class Marked:
    """A solution's lines, and which of them students never see.

    Args:
        lines: the whole text, without line ends.
        cut: indices into `lines`: inside a block, marked `# SOLUTION`, or a marker itself.
    """

    lines: tuple[str, ...]
    cut: frozenset[int]

    @property
    def kept(self) -> str:
        """What stands outside the markers: it may appear in a handout."""
        return "\n".join(line for at, line in enumerate(self.lines) if at not in self.cut)


def find_marked(solution: str, where: object) -> Marked:
    """Sort the lines of `solution` into those that are cut and those that stay.

    Raises:
        CourseError: markers are unbalanced or nested, naming the line.
    """
    lines = tuple(solution.replace("\r\n", "\n").split("\n"))
    cut: set[int] = set()
    opened: int | None = None
    for at, line in enumerate(lines):
        text = line.rstrip()
        if text.endswith(_DROPPED):
            cut.add(at)
        elif text.endswith(_END):
            if opened is None:
                raise _unbalanced(where, at, "`# END SOLUTION` without `# BEGIN SOLUTION`")
            cut.add(at)
            opened = None
        elif _BEGIN.match(line):
            if opened is not None:
                raise _unbalanced(where, at, f"a block inside the block of line {opened + 1}")
            cut.add(at)
            opened = at
        elif opened is not None or _LINE.search(line):
            cut.add(at)
    if opened is not None:
        raise _unbalanced(where, opened, "`# BEGIN SOLUTION` without `# END SOLUTION`")
    return Marked(lines, frozenset(cut))


def _unbalanced(where: object, at: int, got: str) -> CourseError:
    return CourseError(
        f"{where}:{at + 1}",
        f"expected solution markers in pairs, got {got}",
        "give each `# BEGIN SOLUTION` one `# END SOLUTION`, each on a line of its own.",
        UNDONE,
    )
