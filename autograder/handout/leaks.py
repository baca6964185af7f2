"""Does anything in a handout show a solution? Reads every file of it; needs no otter, runs nothing.

A solution line is known again without comments, whitespace, quotes and backslashes; a whole
solution function also under other variable names. A solution written in other words is not found.
"""

from __future__ import annotations

import io
import json
import re
import tokenize
from collections.abc import Iterator
from pathlib import Path

from autograder.errors import CourseError
from autograder.handout.folder import Problem, Steps, handout_files, read_text
from autograder.handout.markers import MARKER, UNDONE, Marked, find_marked
from autograder.handout.shapes import function_shapes

SIGNIFICANT = 12  # characters; a shorter text, such as `n=len(x)`, stands anywhere
LARGEST = 1_000_000  # bytes
_IGNORED = str.maketrans("", "", " \t\n\r\f\v\u00a0\0#\"'`\\")
_COMMENT = re.compile(r"#[^\n]*")
_MOVE = "take it out of the handout; students could read the answer there."


def leak_problems(handout: Path, solutions: Path, files: Steps) -> list[Problem]:
    """Whatever in `handout` shows a solution, or cannot be searched for one.

    Raises:
        CourseError: a reference is missing, is not valid Python, or has unbalanced markers.
    """
    sources = {name: read_text(solutions / name, UNDONE) for _, name in files}
    marked = {name: find_marked(text, solutions / name) for name, text in sources.items()}
    outside = _flat("\n".join(one.kept for one in marked.values()))
    lines: dict[str, dict[int, str]] = {}
    shapes: dict[str, str] = {}
    for name, one in marked.items():
        try:
            secret = _solution_lines(one)
            found = function_shapes(sources[name], one.cut)
        except (SyntaxError, ValueError, tokenize.TokenError) as error:
            fix = "correct the line."
            raise CourseError(
                solutions / name, f"is not valid Python: {error}", fix, UNDONE
            ) from None
        lines[name] = {at: line for at, line in secret.items() if line not in outside}
        shapes |= {shape: f"{function} of {name}" for shape, function in found}
    problems = [p for path in handout_files(handout) for p in _in_file(path, lines, shapes)]
    return problems + list(_compiled(handout, solutions, files))


def _solution_lines(marked: Marked) -> dict[int, str]:
    """Line number → what is significant of each line that is cut.

    A short line counts together with the cut lines right after it, as many as make it long enough.
    """
    code = list(marked.lines)
    for token in tokenize.generate_tokens(io.StringIO("\n".join(code)).readline):
        if token.type == tokenize.COMMENT:
            row, column = token.start
            code[row - 1] = code[row - 1][:column]
    found = {}
    for at in sorted(marked.cut):
        line, after = _flat(code[at]), at + 1
        while line and len(line) < SIGNIFICANT and after in marked.cut:
            line, after = line + _flat(code[after]), after + 1
        if len(line) >= SIGNIFICANT:
            found[at + 1] = line
    return found


def _flat(text: str) -> str:
    return text.translate(_IGNORED)


def _in_file(
    path: Path, lines: dict[str, dict[int, str]], shapes: dict[str, str]
) -> Iterator[Problem]:
    obstacle = _obstacle(path)
    if obstacle:
        yield obstacle
        return
    try:
        text = path.read_bytes().decode("utf-8", "replace")
    except OSError as error:
        yield Problem(str(path), f"cannot be read: {error.strerror}", "make it readable.")
        return
    decoded = text + "\n" + _strings_of_json(text) if path.suffix in (".ipynb", ".json") else text
    marker = MARKER.search(decoded)
    if marker:
        yield Problem(str(path), f"holds the solution marker `{marker.group()}`", _MOVE)
    flat = _flat(decoded), _flat(_COMMENT.sub("", decoded))
    for name, secret in lines.items():
        shown = [at for at, line in secret.items() if any(line in one for one in flat)]
        if shown:
            first, *others = shown
            more = f", and {len(others)} more of its lines" if others else ""
            yield Problem(
                f"{path}:{_line_of(secret[first], text)}",
                f"holds line {first} of the solution {name}{more}",
                _MOVE,
            )
    if path.suffix == ".py":
        yield from _known_functions(path, text, shapes)


def _obstacle(path: Path) -> Problem | None:
    """Why a file has no place in a handout, whatever stands in it."""
    if path.is_symlink():
        return Problem(str(path), "is a link", "put a plain file in its place, or delete it.")
    if not path.is_file():
        return Problem(str(path), "is no plain file", "delete it.")
    if path.suffix in (".pyc", ".pyo"):
        return Problem(str(path), "is compiled Python, which may hold a solution", "delete it.")
    size = path.stat().st_size
    if size > LARGEST:
        what = f"has {size:,} bytes; more than {LARGEST:,} are not searched for solutions"
        return Problem(str(path), what, "make it smaller, or let students download it elsewhere.")
    return None


def _strings_of_json(text: str) -> str:
    """Every string of a notebook, unescaped, one after another; nothing when it is no JSON."""
    try:
        waiting = [json.loads(text)]
    except ValueError:
        return ""
    strings = []
    while waiting:
        value = waiting.pop()
        if isinstance(value, str):
            strings.append(value)
        elif isinstance(value, dict):
            waiting.extend(reversed(value.values()))
        elif isinstance(value, list):
            waiting.extend(reversed(value))
    return "\n".join(strings)


def _line_of(line: str, text: str) -> int:
    """The number of the line of `text` where the flat `line` begins; 1 where it stands escaped."""
    for variant in (text, _COMMENT.sub("", text)):
        rows = [_flat(row) for row in variant.split("\n")]
        left = "".join(rows).find(line)
        for number, row in enumerate(rows, start=1):
            if 0 <= left < len(row):
                return number
            left -= len(row)
    return 1


def _known_functions(path: Path, text: str, shapes: dict[str, str]) -> Iterator[Problem]:
    try:
        found = function_shapes(text)
    except (SyntaxError, ValueError):
        return  # not Python: `portable_problems` says so
    for shape, function in found:
        if shape in shapes:
            what = f"`{function}` is the solution's {shapes[shape]}, up to names and layout"
            yield Problem(str(path), what, _MOVE)


def _compiled(handout: Path, solutions: Path, files: Steps) -> Iterator[Problem]:
    """Caches compiled from a reference that once lay here: a folder zipped by hand holds them."""
    for _, name in files:
        size = (solutions / name).stat().st_size
        for path in sorted(handout.glob(f"**/__pycache__/{Path(name).stem}.*.pyc")):
            recorded = int.from_bytes(path.read_bytes()[12:16], "little")  # PEP 552: source's size
            if recorded == size:
                what = f"was compiled from the solution {name}"
                yield Problem(str(path), what, "delete it.")
