"""What references import of each other against the manifest's `needs`: a mistake may cost points in
its own question and in those that build on it, and nowhere else. Reads text; runs nothing."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from autograder.handout import Problem
from autograder.handout.folder import read_text
from autograder.manifest import Assignment


def stray_imports(assignment: Assignment) -> Iterator[Problem]:
    """References that import a step which their question does not need.

    Raises:
        CourseError: a reference cannot be read.
    """
    owners = {question.module: question.name for question in assignment.manifest.questions}
    for question in assignment.manifest.questions:
        path = assignment.solutions / question.file
        for module, line in _imported(read_text(path, "Nothing was proved.")):
            other = owners.get(module, question.name)
            if other not in (question.name, *question.needs):
                yield Problem(
                    f"{path}:{line}",
                    f"imports {module}, and {question.name!r} does not need {other!r}",
                    f"add it to `needs` of {question.name!r} in assignment.toml.",
                )


def _imported(text: str) -> Iterator[tuple[str, int]]:
    for node in ast.walk(ast.parse(text)):
        if isinstance(node, ast.Import):
            yield from ((alias.name.partition(".")[0], node.lineno) for alias in node.names)
        elif isinstance(node, ast.ImportFrom) and node.module:
            yield node.module.partition(".")[0], node.lineno
