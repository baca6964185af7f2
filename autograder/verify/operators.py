"""Which small changes of a reference there are: all of cosmic-ray's own operators, and one of ours
for `@`, which cosmic-ray does not change."""

from __future__ import annotations

import ast
from collections.abc import Iterable, Iterator
from typing import Any, Protocol

Position = tuple[tuple[int, int], tuple[int, int]]  # (line, column) of start and end
_PARAMETERS = ("cause_variable", "effect_variable")
_FOR_MATMUL = {"Add": "+", "Sub": "-", "Mul": "*", "Div": "/", "FloorDiv": "//", "Mod": "%"}


class Operator(Protocol):
    """What `mutate_code` asks of an operator; a node is one of parso's."""

    def mutation_positions(self, node: Any) -> Iterable[Position]: ...

    def mutate(self, node: Any, index: int) -> Any: ...


def operators_for(tree: ast.Module) -> Iterator[tuple[str, Operator]]:
    """Every operator, by a name of its own, always in the same order.

    Those that change variables are given each variable of the module's functions.
    """
    from cosmic_ray.operators.provider import OperatorProvider

    provider = OperatorProvider()
    for name in provider:
        operator = provider[name]
        parameters = tuple(argument.name for argument in operator.arguments())
        if not parameters:
            yield name, operator()
        for function in tree.body if parameters else ():
            for given in _arguments(name, function):
                said = ", ".join(f"{key}={value}" for key, value in given.items())
                yield f"{name}({said})", _OfVariables(operator(**given), function)
    for name, sign in _FOR_MATMUL.items():
        yield f"ReplaceBinaryOperator_MatMul_{name}", _OfMatMul(sign)


class _OfMatMul:
    """Replaces `@`; cosmic-ray's own operators know every binary operator but this one."""

    def __init__(self, sign: str) -> None:
        self._sign = sign

    def mutation_positions(self, node: Any) -> Iterator[Position]:
        # A decorator's sign is a child of the decorator, not of a term.
        if node.type == "operator" and node.value == "@" and node.parent.type == "term":
            yield node.start_pos, node.end_pos

    def mutate(self, node: Any, index: int) -> Any:
        node.value = self._sign
        return node


class _OfVariables:
    """One of cosmic-ray's two operators on variables, in one function.

    They fail on `a = b`, `a = b = c` and `a: T = b`: only `a = …` with a term is given to them.
    """

    def __init__(self, operator: Operator, function: ast.stmt) -> None:
        self._operator = operator
        self._first, self._last = function.lineno, function.end_lineno or function.lineno
        self._known = _bound(function)

    def mutation_positions(self, node: Any) -> Iterable[Position]:
        if not self._first <= node.start_pos[0] <= self._last:
            return ()
        statement = node if node.type == "expr_stmt" else node.search_ancestor("expr_stmt")
        if statement is None or len(statement.children) != 3:
            return ()
        if not hasattr(statement.children[2], "children"):
            return ()
        cause = getattr(self._operator, _PARAMETERS[0])
        if self._known[cause] >= statement.start_pos[0]:
            return ()  # it has no value there yet
        return self._operator.mutation_positions(node)

    def mutate(self, node: Any, index: int) -> Any:
        return self._operator.mutate(node, index)


def _arguments(operator: str, function: ast.stmt) -> Iterator[dict[str, str]]:
    """What an operator on variables may be given in one function."""
    if not isinstance(function, (ast.FunctionDef, ast.AsyncFunctionDef)):
        return
    assigned = dict.fromkeys(
        node.id
        for node in ast.walk(function)
        if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store)
    )
    for cause in _bound(function):
        if operator == "VariableReplacer":
            yield {"cause_variable": cause}
        else:
            for effect in assigned:
                yield {"cause_variable": cause, "effect_variable": effect}


def _bound(function: ast.stmt) -> dict[str, int]:
    """A function's parameters and variables, and the line where each first gets a value."""
    lines: dict[str, int] = {}
    for node in ast.walk(function):
        if isinstance(node, ast.arg):
            lines[node.arg] = min(node.lineno, lines.get(node.arg, node.lineno))
        elif isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store):
            lines[node.id] = min(node.lineno, lines.get(node.id, node.lineno))
    return dict(sorted(lines.items()))
