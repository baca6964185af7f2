"""The assignments that are attacked: what a course and a class of each are made of."""

from __future__ import annotations

import csv
import importlib.util
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path

from autograder.manifest import find_course

ROOT = Path(__file__).resolve().parents[3]
ONCE = "timeouts = 1"
LATE = '''"""Step 4, with its imports where they are used."""


def softmax(scores):
    import decimal
    import json

    import numpy as np

    assert json.loads("1") == decimal.Decimal(1)
    powers = np.exp(scores - scores.max(axis=-1, keepdims=True))
    return powers / powers.sum(axis=-1, keepdims=True)
'''
RAISES = '''"""Step 3, by somebody who did not finish."""


def scale_scores(scores, d_k):
    raise ValueError(f"what shape is {scores.shape}?")
'''


@dataclass(frozen=True)
class Attacked:
    """One assignment.

    Args:
        secret: the step whose grader, mistakes, reference and right example have canaries.
        mistakes: of that step, in a file.
        limits: of the manifest's, which attackers need not wait for so long.
        neighbours: honest submissions, and the example whose grades each must have.
        changed: of these, one step that is no example's: its file and its text.
        most_mb: of one process.
        quick: how many attacks of each kind run in every `make test`.
        quick_in_all: no more than so many.
    """

    name: str
    secret: str
    mistakes: str
    limits: str
    neighbours: Mapping[str, str]
    changed: Mapping[str, tuple[str, str]] = field(default_factory=dict)
    most_mb: int = 700  # a worker maps the base process's memory, and may use 256 more
    quick: int = 2
    quick_in_all: int = 1000

    @property
    def examples(self) -> Path:
        """The bundled class."""
        return find_course(ROOT).assignment(self.name).examples

    @property
    def right(self) -> Path:
        """A right submission."""
        return self.examples / "right"

    @property
    def title(self) -> str:
        """As its pages are headed."""
        return find_course(ROOT).assignment(self.name).manifest.title

    @property
    def missing(self) -> str:
        """Why it cannot be graded here, "" where it can."""
        packages = find_course(ROOT).assignment(self.name).manifest.packages
        missing = [name for name in packages if not importlib.util.find_spec(name)]
        return f"needs {', '.join(missing)}" if missing else ""

    def expected_grades(self, neighbour: str) -> dict[str, str]:
        """The row that its example has in expected-grades.csv."""
        with (self.examples / "expected-grades.csv").open(encoding="utf-8-sig") as file:
            rows = {row["submission"]: row for row in csv.DictReader(file)}
        return {**rows[self.neighbours[neighbour]], "submission": neighbour}


ATTACKED = {
    one.name: one
    for one in (
        Attacked(
            "self_attention",
            secret="step4_softmax.py",
            mistakes="mistakes_step4.py",
            limits="seconds = 4\ncpu_seconds = 8\nmemory_mb = 256\ntotal_seconds = 60\n" + ONCE,
            neighbours={
                "a_right": "right",
                "e_right_with_einsum_and_loops": "right_with_einsum_and_loops",
                "h_flood_of_prints": "flood_of_prints",
                "n_imports_late": "right",
                "q_raises": "no_scaling",
                "u_infinite_loop_in_one_step": "infinite_loop_in_one_step",
                "w_exit_in_one_step": "exit_in_one_step",
                "z_right": "right",
            },
            changed={
                "n_imports_late": ("step4_softmax.py", LATE),
                "q_raises": ("step3_scaling.py", RAISES),
            },
        ),
        Attacked(
            "attention_vs_recurrence",
            secret="step2_attention.py",
            mistakes="mistakes_step2.py",
            limits="seconds = 8\ncpu_seconds = 16\ntotal_seconds = 240\n" + ONCE,
            neighbours={
                "a_right": "right",
                "n_detached_rnn_state": "detached_rnn_state",
                "z_right_in_other_words": "right_in_other_words",
            },
            most_mb=1500,  # with torch, and 512 more
            quick=1,
            quick_in_all=3,
        ),
    )
}
