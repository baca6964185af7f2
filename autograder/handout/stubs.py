"""Solution → stub: signature and docstring stay, the work becomes a NotImplementedError.

Text in, text out; no solution is ever imported or run. Only cutting needs otter.
"""

from __future__ import annotations

import ast
import re
import warnings
from collections.abc import Iterator
from pathlib import Path

from autograder.errors import CourseError
from autograder.files import write_atomically
from autograder.handout.folder import Steps, read_text
from autograder.handout.markers import MARKER, UNDONE, find_marked

_PROMPT_LINE = re.compile(r"\s*\.\.\.\s*(#.*)?")


def cut_stub(solution: str, step: int, where: object) -> str:
    """What a student gets in place of `solution`.

    otter assign's markers are cut by otter itself, which leaves `...`; each `...` that stands alone
    on a line of a function then raises NotImplementedError("step 3: scale_scores"). What stands
    outside the markers stays, imports included.

    Args:
        solution: the text of the reference file.
        step: the number that the question bears everywhere.
        where: its path, for messages.

    Raises:
        CourseError: no marker, unbalanced markers, a marker that otter does not know, a syntax
            error (in the solution, or in the stub that it gives), or otter is not installed.
    """
    _parse(solution, where, "the solution", "correct the line.")
    marked = find_marked(solution, where)
    if not marked.cut:
        raise CourseError(
            where,
            "no solution marker: students would get the whole solution",
            "put `# BEGIN SOLUTION` and `# END SOLUTION` around what they are to write.",
            UNDONE,
        )
    cut = "\n".join(cut_by_otter(list(marked.lines), where))
    tree = _parse(
        cut, where, "the stub cut from it", "let a marked line or block hold whole statements."
    )
    stub = _tidy(_raise_at_prompts(cut, tree, step))
    left = MARKER.search(stub)
    if left:
        raise CourseError(
            where,
            f"otter does not know the marker `{left.group()}` where it stands, and leaves it",
            "write markers in capitals, one space after `#`, BEGIN and END on lines of their own.",
            UNDONE,
        )
    return stub


def build_handout(solutions: Path, files: Steps) -> dict[str, str]:
    """Every stub of an assignment: file name → text.

    Args:
        solutions: the folder of the references.
        files: step number and file name of each question.

    Raises:
        CourseError: a reference is missing or cannot be cut; nothing was written.
    """
    return {
        name: cut_stub(read_text(solutions / name, UNDONE), step, solutions / name)
        for step, name in files
    }


def write_handout(handout: Path, solutions: Path, files: Steps) -> list[str]:
    """Write the stubs that changed, each atomically; return their names.

    Raises:
        CourseError: a reference cannot be cut (then no stub was written), or the disk refuses.
    """
    stubs = build_handout(solutions, files)
    changed = [name for name, stub in stubs.items() if stub != present_stub(handout / name)]
    for name in changed:
        write_atomically(handout / name, stubs[name])
    return changed


def present_stub(path: Path) -> str | None:
    """The stub that stands in a handout now; None when there is none that can be read."""
    try:
        return None if path.is_symlink() else path.read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError):
        return None


def cut_by_otter(lines: list[str], where: object) -> list[str]:
    """What otter assign leaves of `lines`.

    Raises:
        CourseError: otter is not installed, or finds the markers unbalanced.
    """
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # its dependencies' deprecations are not the reader's
            # otter ships no types, and need not be installed where mypy runs
            from otter.assign.solutions import (  # type: ignore[import, unused-ignore]
                replace_solutions,
            )
    except ImportError as error:
        raise CourseError(
            where,
            f"stubs are cut by otter assign, which cannot be imported: {error}",
            "type: pip install 'attention-autograder[otter]' (in a checkout: make handout)",
            UNDONE,
        ) from error
    try:
        return [str(line) for line in replace_solutions(lines, "python")]
    except AssertionError as error:
        problem = str(error).partition(" in [")[0]  # otter quotes the whole file after it
        raise CourseError(
            where,
            f"otter cannot cut it: {problem}",
            "give each `# BEGIN SOLUTION` one `# END SOLUTION`.",
            UNDONE,
        ) from error


def _parse(text: str, where: object, what: str, fix: str) -> ast.Module:
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            return ast.parse(text)
    except (SyntaxError, ValueError) as error:
        line = getattr(error, "lineno", None)
        at = f", line {line}" if line else ""
        reason = getattr(error, "msg", None) or str(error)
        raise CourseError(
            where, f"{what} is not valid Python{at}: {reason}", fix, UNDONE
        ) from error


def _raise_at_prompts(cut: str, tree: ast.Module, step: int) -> str:
    owners = dict(_prompts(tree, (), in_function=False))
    lines: list[str] = []
    for number, line in enumerate(cut.split("\n"), start=1):
        if number not in owners or not _PROMPT_LINE.fullmatch(line):
            lines.append(line)
            continue
        error = f'raise NotImplementedError("step {step}: {owners[number]}")'
        raising = line.replace("...", error, 1)
        if lines[-1:] != [raising]:
            lines.append(raising)
    return "\n".join(lines)


def _prompts(
    node: ast.AST, owner: tuple[str, ...], *, in_function: bool
) -> Iterator[tuple[int, str]]:
    """Line and outermost owner (`f`, `Class.method`) of each `...` statement in a function."""
    for child in ast.iter_child_nodes(node):
        if in_function or not isinstance(
            child, (ast.ClassDef, ast.FunctionDef, ast.AsyncFunctionDef)
        ):
            if in_function and isinstance(child, ast.Expr) and _is_ellipsis(child.value):
                yield child.lineno, ".".join(owner)
            yield from _prompts(child, owner, in_function=in_function)
        else:
            is_function = not isinstance(child, ast.ClassDef)
            yield from _prompts(child, (*owner, child.name), in_function=is_function)


def _is_ellipsis(value: ast.expr) -> bool:
    return isinstance(value, ast.Constant) and value.value is Ellipsis


def _tidy(text: str) -> str:
    """At most one blank line before an indented line, two elsewhere, one newline at the end."""
    text = re.sub(r"\n(?:[ \t]*\n){2,}(?=[ \t]+\S)", "\n\n", text)
    text = re.sub(r"\n(?:[ \t]*\n){3,}", "\n\n\n", text)
    return text.strip("\n") + "\n"
