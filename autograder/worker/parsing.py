"""Which names a student's files use, read off their text: nothing of it is run. A parser reads what
students choose, so it works in a worker too."""

from __future__ import annotations

import ast
import warnings
from collections.abc import Collection, Iterator, Mapping
from typing import Any


def uses_of(files: Mapping[str, str], names: Collection[str]) -> dict[str, Any]:
    """For each file that Python can read: which of the others it imports, and its uses of names.

    A name is known by its package and its last part, such as torch and MultiheadAttention, through
    aliases, `from … import …`, stars, plain assignments and `getattr` with a text.

    Args:
        files: module name → source.
        names: in full, such as `torch.nn.MultiheadAttention`.

    Returns:
        by module, {"imports": modules, "uses": [name, line] of each}.
    """
    found = {}
    for module, source in files.items():
        try:
            with warnings.catch_warnings():
                warnings.simplefilter("ignore")
                tree = ast.parse(source)
        except (SyntaxError, ValueError):
            continue  # importing it will say so
        meanings = _meanings(tree)
        uses = [[name, line] for name, line in _uses(tree, meanings, names)]
        imports = {value.partition(".")[0] for value in meanings.values()} & files.keys()
        found[module] = {"imports": sorted(imports), "uses": uses}
    return found


def _meanings(tree: ast.Module) -> dict[str, str]:
    """What each name of a file stands for: a dotted name that begins with a package; "*" and a
    number for what is imported whole."""
    meanings: dict[str, str] = {}
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            for alias in node.names:
                top = alias.name.partition(".")[0]
                meanings[alias.asname or top] = alias.name if alias.asname else top
        elif isinstance(node, ast.ImportFrom) and node.module:
            for alias in node.names:
                star = alias.name == "*"
                own = f"*{len(meanings)}" if star else alias.asname or alias.name
                meanings[own] = node.module if star else f"{node.module}.{alias.name}"
    for node in ast.walk(tree):
        if isinstance(node, ast.Assign) and isinstance(node.targets[0], ast.Name):
            meaning = _dotted(node.value, meanings)
            if "." in meaning:
                meanings.setdefault(node.targets[0].id, meaning)
    return meanings


def _uses(
    tree: ast.Module, meanings: Mapping[str, str], names: Collection[str]
) -> Iterator[tuple[str, int]]:
    stars = [value for name, value in meanings.items() if name[0] == "*"]
    for node in ast.walk(tree):
        if not isinstance(node, ast.Name | ast.Attribute | ast.Call):
            continue
        said = _dotted(node, meanings)
        several = [said, *(f"{star}.{said}" for star in stars if said and "." not in said)]
        for name in names:
            if any(_is(name, one) for one in several):
                yield name, node.lineno


def _is(name: str, said: str) -> bool:
    """Whether a dotted name is another, by package and last part."""
    ends = name.partition(".")[0], name.rpartition(".")[2]
    return "." in said and (said.partition(".")[0], said.rpartition(".")[2]) == ends


def _dotted(node: ast.AST, meanings: Mapping[str, str]) -> str:
    """What an expression stands for, "" where it is no name."""
    if isinstance(node, ast.Name):
        return meanings.get(node.id, node.id)
    if isinstance(node, ast.Attribute):
        before = _dotted(node.value, meanings)
        return f"{before}.{node.attr}" if before else ""
    if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == "getattr":
        where, *texts = node.args or [node.func]
        name = texts[0].value if texts and isinstance(texts[0], ast.Constant) else None
        before = _dotted(where, meanings)
        return f"{before}.{name}" if before and isinstance(name, str) else ""
    return ""
