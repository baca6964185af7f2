"""The words that a hidden check may use: those of the framework, of the course, and of Python."""

from __future__ import annotations

import ast
import builtins
import functools
import re
from collections.abc import Iterable, Iterator
from pathlib import Path

import autograder

WORD = re.compile(r"\w+")


@functools.cache
def vocabulary(course: Path, assignment: str) -> frozenset[str]:
    """Every word that our own sources spell out, and the names of Python's exceptions."""
    framework = Path(autograder.__file__).parent
    graders, solutions = (course / one / assignment for one in ("tests", "solutions"))
    sources = [*framework.rglob("*.py"), *graders.glob("*.py"), *solutions.glob("*.py")]
    manifest = course / "assignments" / assignment / "assignment.toml"
    said = words([manifest.read_text(encoding="utf-8")])
    return frozenset([*said, *words(_texts(sources)), *vars(builtins)])


def words(texts: Iterable[str]) -> Iterator[str]:
    """Each word or number in them."""
    for text in texts:
        yield from WORD.findall(text)


def _texts(sources: Iterable[Path]) -> Iterator[str]:
    """The text constants in programs; those of f-strings too."""
    for path in sources:
        for node in ast.walk(ast.parse(path.read_bytes())):
            if isinstance(node, ast.Constant) and isinstance(node.value, str):
                yield node.value
