"""A known mistake's source → the code that a student reads on paper, without what gives it away:
its name, its decorator, docstrings, comments. Runs nothing."""

from __future__ import annotations

import ast
import builtins
import inspect
import io
import symtable
import sys
import textwrap
import tokenize
from collections.abc import Collection, Iterator
from dataclasses import dataclass
from types import ModuleType

from autograder.grading.mistakes import Mistake

_PACKAGES = ("numpy", "torch")  # whose names a reader knows
LONGEST, WIDEST = 12, 88  # lines, and characters of a line on A4 and Letter


class Unfit(Exception):
    """A mistake that no sheet of paper can show, and why: "is 14 lines long"."""


@dataclass(frozen=True)
class Printed:
    """The code of one mistake under the student's function's name.

    Args:
        imports: the lines that its reader has to imagine above it.
        calls: functions of the references that it calls, in the order of the alphabet.
    """

    code: str
    imports: tuple[str, ...]
    calls: tuple[str, ...]


def printed(mistake: Mistake, steps: Collection[str]) -> Printed:
    """The mistake as its reader sees it.

    Args:
        steps: the modules that references import each other by.

    Raises:
        Unfit: it is too long, or cannot be understood without the rest of its file.
    """
    code = _bare(_source(mistake))
    lines = code.splitlines()
    if len(lines) > LONGEST:
        raise Unfit(f"is {len(lines)} lines long")
    if max(map(len, lines)) > WIDEST:
        raise Unfit(f"has a line of {max(map(len, lines))} characters")
    own = ast.parse(code).body[0]
    assert isinstance(own, ast.FunctionDef), "_bare leaves nothing else"
    used = set(_global_names(symtable.symtable(code, mistake.name, "exec"))) - {own.name}
    if mistake.function in used:
        raise Unfit(f"calls the right `{mistake.function}`")
    known = {name: _known(name, mistake, steps) for name in sorted(used)}
    return Printed(
        _renamed(code, own.name, mistake.function),
        tuple(sorted(line for line in known.values() if line.startswith("import "))),
        tuple(name for name, where in known.items() if where.partition(".")[0] in steps),
    )


def _source(mistake: Mistake) -> str:
    try:
        return textwrap.dedent(inspect.getsource(inspect.unwrap(mistake.call)))
    except (OSError, TypeError):
        raise Unfit("has no source") from None


def _bare(source: str) -> str:
    """Without decorators, docstrings and comments; what is left stands as it was written."""
    try:
        definition = ast.parse(source).body[0]
        lines = source.splitlines()
        for remark in filter(_is_remark, ast.walk(definition)):
            assert isinstance(remark, ast.Expr), "_is_remark takes nothing else"
            end = remark.end_lineno or remark.lineno
            lines[remark.lineno - 1 : end] = [""] * (end - remark.lineno + 1)
        for token in _tokens(source, tokenize.COMMENT):
            lines[token.start[0] - 1] = lines[token.start[0] - 1][: token.start[1]]
        kept = lines[definition.lineno - 1 : definition.end_lineno]
        code = "\n".join(line.rstrip() for line in kept if line.strip())
        is_same = ast.dump(ast.parse(code).body[0]) == ast.dump(_without_remarks(definition))
    except (SyntaxError, tokenize.TokenError):
        is_same = False
    if not is_same:
        raise Unfit("is no plain function")
    return code


def _is_remark(node: ast.AST) -> bool:
    """Whether it is a docstring, or another string that stands by itself."""
    return (
        isinstance(node, ast.Expr)
        and isinstance(node.value, ast.Constant)
        and isinstance(node.value.value, str)
    )


def _without_remarks(definition: ast.stmt) -> ast.stmt:
    if not isinstance(definition, ast.FunctionDef):
        raise SyntaxError("no function")
    definition.decorator_list = []
    for node in ast.walk(definition):
        if isinstance(body := getattr(node, "body", None), list):
            body[:] = [one for one in body if not _is_remark(one)]
    return definition


def _tokens(text: str, kind: int) -> list[tokenize.TokenInfo]:
    readline = io.StringIO(text).readline
    return [token for token in tokenize.generate_tokens(readline) if token.type == kind]


def _renamed(code: str, old: str, new: str) -> str:
    lines = code.splitlines()
    for token in reversed(_tokens(code, tokenize.NAME)):
        if token.string == old:
            (row, start), (_, end) = token.start, token.end
            lines[row - 1] = lines[row - 1][:start] + new + lines[row - 1][end:]
    return "\n".join(lines)


def _global_names(table: symtable.SymbolTable) -> Iterator[str]:
    """What it takes from outside of itself, in functions within it as well."""
    for symbol in table.get_symbols():
        if symbol.is_global() and symbol.is_referenced():
            yield symbol.get_name()
    for inner in table.get_children():
        yield from _global_names(inner)


def _known(name: str, mistake: Mistake, steps: Collection[str]) -> str:
    """Where a reader knows `name` from: an import, a module, or "" for Python itself."""
    around = inspect.unwrap(mistake.call).__globals__
    if name not in around and hasattr(builtins, name):
        return ""
    value = around.get(name)
    is_module = isinstance(value, ModuleType)
    home = getattr(value, "__name__" if is_module else "__module__", None) or ""
    is_itself = is_module or isinstance(value, type) or getattr(value, "__name__", "") == name
    if not is_itself or home.partition(".")[0] not in {
        *_PACKAGES,
        *sys.stdlib_module_names,
        *steps,
    }:
        raise Unfit(f"uses `{name}` of its file")
    if is_module:
        return f"import {home}" + (f" as {name}" if name != home else "")
    return f"{home}.{name}"
