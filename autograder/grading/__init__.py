"""What a hidden grader is written with: the marks here, also for known mistakes and variants;
`student`, `compare`, `unmodified`, `reference` and `rng` are fixtures of the pytest plugin."""

import pytest

from autograder.grading.mistakes import mistake, variant

__all__ = ["fresh", "mistake", "question", "variant", "weight"]


def question(name: str) -> pytest.MarkDecorator:
    """This file's (or check's) question, by its name in assignment.toml."""
    return pytest.mark.question(name)


def weight(parts: int) -> pytest.MarkDecorator:
    """How many parts of its question's points this check is worth; 1 without the mark."""
    return pytest.mark.weight(parts)


fresh = pytest.mark.fresh
"""This check gets a worker of its own, untouched by the checks before it."""
