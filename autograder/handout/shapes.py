"""A function without its names, annotations, comments and layout, to be known again elsewhere.

Nothing is compared here, and nothing is run.
"""

from __future__ import annotations

import ast
import copy
import warnings
from collections.abc import Collection

SMALLEST = 8  # nodes; a smaller body, such as `return a @ b`, is anybody's
_Function = (ast.FunctionDef, ast.AsyncFunctionDef)


def function_shapes(source: str, touching: Collection[int] | None = None) -> list[tuple[str, str]]:
    """The shape and the name of each function in `source`.

    Args:
        source: Python.
        touching: indices of lines; only functions that hold one of them are asked for.

    Raises:
        SyntaxError: it is not Python.
    """
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        tree = ast.parse(source)
    found = []
    for node in ast.walk(tree):
        if not isinstance(node, _Function):
            continue
        lines = range(node.lineno - 1, node.end_lineno or node.lineno)
        if touching is None or any(line in touching for line in lines):
            shape = _shape(node)
            if shape:
                found.append((shape, node.name))
    return found


def _shape(function: ast.FunctionDef | ast.AsyncFunctionDef) -> str | None:
    """Arguments and body with bound names numbered in order of appearance; None when too small."""
    own = copy.deepcopy(function)
    body = own.body[1:] if ast.get_docstring(own, clean=False) is not None else own.body
    nodes = [node for part in (own.args, *body) for node in ast.walk(part)]
    inside = [node for statement in body for node in ast.walk(statement)]
    if sum(not isinstance(node, ast.expr_context) for node in inside) < SMALLEST:
        return None
    bound = {node.arg for node in nodes if isinstance(node, ast.arg)}
    bound |= {n.id for n in nodes if isinstance(n, ast.Name) and isinstance(n.ctx, ast.Store)}
    numbers: dict[str, str] = {}
    for node in nodes:
        if isinstance(node, ast.arg):
            node.annotation = None
            node.arg = numbers.setdefault(node.arg, f"_{len(numbers)}")
        elif isinstance(node, ast.Name) and node.id in bound:
            node.id = numbers.setdefault(node.id, f"_{len(numbers)}")
    return "\n".join(ast.dump(part) for part in (own.args, *body))
