"""A small assignment of two steps, with its stubs cut; other tests damage it."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

import pytest

from autograder.handout import write_handout

SCALING = '''"""Step 1: scaling."""

import math


def scale_scores(scores, d_k):
    """Divide by √d_k.

    Args:
        scores: (..., n_q, n_k).
    """
    # BEGIN SOLUTION
    root = math.sqrt(d_k)  # a dot product's spread
    return scores / root  # (..., n_q, n_k)
    # END SOLUTION
'''
SOFTMAX = '''"""Step 2: softmax."""

import numpy as np


def softmax(scores):
    """Each row sums to 1 over the last axis."""
    # BEGIN SOLUTION
    shifted = scores - scores.max(axis=-1, keepdims=True)
    exponentials = np.exp(shifted)
    return exponentials / exponentials.sum(axis=-1, keepdims=True)
    # END SOLUTION
'''
FILES = ((1, "step1_scaling.py"), (2, "step2_softmax.py"))


@dataclass(frozen=True)
class Sample:
    """Where the small assignment lies."""

    handout: Path
    solutions: Path
    files: tuple[tuple[int, str], ...] = FILES


@pytest.fixture
def sample(tmp_path: Path) -> Sample:
    """A fresh, portable handout without leaks."""
    made = Sample(tmp_path / "assignments" / "small", tmp_path / "solutions" / "small")
    made.solutions.mkdir(parents=True)
    for (_, name), text in zip(FILES, (SCALING, SOFTMAX), strict=True):
        (made.solutions / name).write_text(text, encoding="utf-8")
    write_handout(made.handout, made.solutions, made.files)
    (made.handout / "README.md").write_text("# Small\n\nDivide, then exponentiate.\n", "utf-8")
    return made
