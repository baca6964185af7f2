"""The references with one small change each, made by cosmic-ray; text in, text out, nothing is
run. Only what stands between the solution markers is changed."""

from __future__ import annotations

import ast
import contextlib
import random
from collections.abc import Iterator
from dataclasses import dataclass, field

from autograder.errors import CourseError
from autograder.handout.folder import read_text
from autograder.handout.markers import find_marked
from autograder.manifest import Assignment, Question
from autograder.verify.operators import Operator, operators_for

UNDONE = "No mutant was made."
SEED = 0
Place = tuple[int, int]  # line, from 1, and column, from 0
Span = tuple[Place, Place]


@dataclass(frozen=True)
class Mutant:
    """One small change of a reference.

    Args:
        file: of the reference, below the course's folder.
        function: the outermost function or class in which it stands; "" outside of all.
        operator: cosmic-ray's name for the kind of change, with its arguments.
        line: the first changed line of the file, from 1.
        before, after: the changed lines, as they stand and as they are here.
        text: the whole module.
    """

    question: str
    file: str
    function: str
    operator: str
    line: int
    before: str
    after: str
    text: str = field(repr=False)

    @property
    def where(self) -> str:
        """File and line."""
        return f"{self.file}:{self.line}"

    @property
    def change(self) -> str:
        """What an instructor reads, such as "`s / d` became `s * d`"."""
        became = f"became `{self.after}`" if self.after else "was taken out"
        return f"`{self.before}` {became}"

    def __str__(self) -> str:
        return f"{self.where}: {self.change}"


def mutants_of(assignment: Assignment) -> list[Mutant]:
    """Every mutant of every reference that is graded, no text twice; always in the same order.

    Raises:
        CourseError: a reference cannot be read, or cosmic-ray is not installed.
    """
    return [
        mutant
        for question in assignment.manifest.enabled_questions
        for mutant in _mutants(assignment, question)
    ]


def _mutants(assignment: Assignment, question: Question) -> Iterator[Mutant]:
    try:
        from cosmic_ray.mutating import mutate_code
    except ImportError as error:
        raise CourseError(
            "mutants of the references",
            f"they are made by cosmic-ray, which cannot be imported: {error}",
            "type: pip install 'attention-autograder[verify]'",
            UNDONE,
        ) from error
    path = assignment.solutions / question.file
    source = read_text(path, UNDONE)
    solution = _Solution(source, path)
    file = path.relative_to(assignment.solutions.parent.parent).as_posix()
    seen = {source}
    for name, operator in operators_for(solution.tree):
        for occurrence in solution.occurrences(operator):
            with _same_choices():
                text = str(mutate_code(source, operator, occurrence))
            if text in seen or not _is_python(text):
                continue
            seen.add(text)
            line, before, after = _changed(source, text)
            function = solution.function_at(line)
            yield Mutant(question.name, file, function, name, line, before, after, text)


class _Solution:
    """A reference's text, and where in it a mutant may be.

    Raises:
        CourseError: its markers are unbalanced, or it is not Python.
    """

    def __init__(self, source: str, where: object) -> None:
        from cosmic_ray.ast import ast_nodes, get_ast

        self._lines = source.split("\n")
        self._marked = frozenset(at + 1 for at in find_marked(source, where).cut)
        try:
            self.tree = ast.parse(source)
        except (SyntaxError, ValueError) as error:
            raise CourseError(where, f"is not Python: {error}", "mend it.", UNDONE) from error
        self._untouched = [span for node in ast.walk(self.tree) for span in self._spared(node)]
        self._nodes = list(ast_nodes(get_ast(source)))

    def occurrences(self, operator: Operator) -> Iterator[int]:
        """Which of an operator's places in the whole file are the solution's own."""
        places = (place for node in self._nodes for place in operator.mutation_positions(node))
        for occurrence, (start, end) in enumerate(places):
            if self._marked.issuperset(range(start[0], end[0] + 1)) and not any(
                first <= start and end <= last for first, last in self._untouched
            ):
                yield occurrence

    def function_at(self, line: int) -> str:
        """The outermost function or class around a line."""
        for node in self.tree.body:
            if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)):
                first = min(one.lineno for one in (node, *node.decorator_list))
                if first <= line <= (node.end_lineno or first):
                    return node.name
        return ""

    def _spared(self, node: ast.AST) -> Iterator[Span]:
        """What no value comes from: imports, annotations, the head of a function."""
        if isinstance(node, (ast.Import, ast.ImportFrom)):
            yield self._span(node)
        elif isinstance(node, ast.AnnAssign):
            yield self._span(node.annotation)
        elif isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef)):
            first = node.body[0]
            inner = [first, *getattr(first, "decorator_list", [])]
            yield self._place(node), min(map(self._place, inner))

    def _span(self, node: ast.stmt | ast.expr) -> Span:
        assert node.end_lineno is not None, "parsed from text"
        assert node.end_col_offset is not None, "parsed from text"
        return self._place(node), self._at(node.end_lineno, node.end_col_offset)

    def _place(self, node: ast.stmt | ast.expr) -> Place:
        return self._at(node.lineno, node.col_offset)

    def _at(self, line: int, offset: int) -> Place:
        """ast counts bytes, cosmic-ray characters."""
        return line, len(self._lines[line - 1].encode()[:offset].decode())


@contextlib.contextmanager
def _same_choices() -> Iterator[None]:
    """Two of cosmic-ray's operators draw numbers: here always the same."""
    state = random.getstate()
    random.seed(SEED)
    try:
        yield
    finally:
        random.setstate(state)


def _is_python(text: str) -> bool:
    """A change that no interpreter takes says nothing about graders."""
    try:
        ast.parse(text)
    except (SyntaxError, ValueError):
        return False
    return True


def _changed(before: str, after: str) -> tuple[int, str, str]:
    """The first line that differs, from 1, and the lines that differ in both texts."""
    old, new = before.split("\n"), after.split("\n")
    shorter = min(len(old), len(new))
    head = next((at for at in range(shorter) if old[at] != new[at]), shorter)
    tail = 0
    while tail < shorter - head and old[-1 - tail] == new[-1 - tail]:
        tail += 1
    return head + 1, _joined(old[head : len(old) - tail]), _joined(new[head : len(new) - tail])


def _joined(lines: list[str]) -> str:
    return "\n".join(line.strip() for line in lines)
