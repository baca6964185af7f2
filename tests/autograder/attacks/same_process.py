"""The control: a small grader as many courses have one. It imports a student's files into its own
process, compares with `np.allclose`, and writes its results at the end. Nothing guards it.

usage: python same_process.py COURSE SUBMISSIONS OUT
"""

from __future__ import annotations

import csv
import importlib
import json
import os
import signal
import sys
from pathlib import Path

import numpy as np
import pytest

SECONDS = 30
QUESTIONS = {  # by file: the question, its function and its points
    "step1_projections.py": ("projections", "project_qkv", 10),
    "step2_scores.py": ("scores", "attention_scores", 15),
    "step3_scaling.py": ("scaling", "scale_scores", 15),
    "step4_softmax.py": ("softmax", "softmax", 30),
    "step5_output.py": ("output", "attention_output", 10),
    "step6_self_attention.py": ("self_attention", "self_attention", 20),
}


def arguments(name, rng):
    """Of one call of a function."""
    x, w_q, w_k, w_v = rng.normal(size=(5, 6)), *rng.normal(size=(3, 6, 3))
    return {
        "project_qkv": (x, w_q, w_k, w_v),
        "attention_scores": (x, rng.normal(size=(4, 6))),
        "scale_scores": (x, 9),
        "softmax": (x,),
        "attention_output": (rng.dirichlet(np.ones(5), size=5), x),
        "self_attention": (x, w_q, w_k, w_v),
    }[name]


class Grader:
    """A plugin of pytest's, with everything in one process."""

    def __init__(self, course: Path, submission: Path, out: Path) -> None:
        self.submission = submission
        self.out = out
        self.seed = json.loads((out / "run.json").read_text())["seed"]
        self.reports: dict[str, list[pytest.TestReport]] = {file: [] for file in QUESTIONS}
        sys.path.insert(0, str(course / "solutions/self_attention"))
        self.references = {file: _imported(file) for file in QUESTIONS}
        sys.path[0] = str(submission)
        self.students = {file: _imported(file) for file in QUESTIONS}

    @pytest.fixture
    def grader(self):
        """What a check compares with."""
        return self

    @pytest.hookimpl
    def pytest_runtest_logreport(self, report):
        """Keep what came of each check."""
        if report.when == "call":
            file = next(file for file in QUESTIONS if file in report.nodeid)
            self.reports[file].append(report)

    @pytest.hookimpl
    def pytest_sessionfinish(self):
        """Write the points, as a usual grader does."""
        questions = [self.question(file, *told) for file, told in QUESTIONS.items()]
        score = sum(question["score"] for question in questions)
        result = {"submission": self.submission.name, "score": score, "max_score": 100}
        result.update(seed=self.seed, questions=questions)
        path = self.out / "results" / f"{self.submission.name}.json"
        path.write_text(json.dumps(result))

    def question(self, file, name, function, points):
        """One step, all or nothing."""
        checks = [
            {
                "name": report.nodeid,
                "outcome": report.outcome,
                "visibility": "hidden",
                "message": "",
                "detail": f"{report.longreprtext}\n{report.capstdout}"[-8000:],
            }
            for report in self.reports[file]
        ]
        passed = checks and all(check["outcome"] == "passed" for check in checks)
        score = points if passed else 0
        return {"name": name, "file": file, "score": score, "max_score": points, "checks": checks}


def _imported(file: str):
    """A fresh import of a file from the first folder that has it."""
    for one in QUESTIONS:
        sys.modules.pop(one.removesuffix(".py"), None)
    return importlib.import_module(file.removesuffix(".py"))


@pytest.mark.parametrize("file", QUESTIONS)
@pytest.mark.parametrize("case", [0, 1, 2])
def test_values(grader, file, case):
    """The student's values are the reference's."""
    _, name, _ = QUESTIONS[file]
    given = arguments(name, np.random.default_rng([grader.seed, case]))
    expected = getattr(grader.references[file], name)(*given)
    got = getattr(grader.students[file], name)(*given)
    if not isinstance(expected, tuple):
        got, expected = [got], [expected]
    for one, other in zip(got, expected, strict=True):
        assert np.allclose(one, other)


def grade_one(course: Path, submission: Path, out: Path) -> None:
    """Grade one submission in this process."""
    options = ["-q", "--color=no", "-p", "no:cacheprovider", "-p", "no:autograder", "--rootdir=/"]
    pytest.main([*options, __file__], plugins=[Grader(course, submission, out)])


def grade_all(course: Path, submissions: Path, out: Path) -> None:
    """Grade a class, one process a submission, and write what a class has beside its results."""
    (out / "feedback").mkdir()
    rows = []
    for submission in sorted(submissions.iterdir()):
        _in_a_child(course, submission, out)
        path = out / "results" / f"{submission.name}.json"
        (out / "feedback" / f"{submission.name}.md").write_text("")
        if path.exists():
            rows.append(_row(json.loads(path.read_text())))
    with (out / "grades.csv").open("w", newline="") as file:
        writer = csv.DictWriter(file, rows[0])
        writer.writeheader()
        writer.writerows(rows)


def _in_a_child(course: Path, submission: Path, out: Path) -> None:
    child = os.fork()
    if child == 0:
        signal.alarm(SECONDS)
        try:
            grade_one(course, submission, out)
        finally:
            os._exit(0)
    os.waitpid(child, 0)


def _row(result):
    empty = dict.fromkeys(("name", "sid", "email", "follow_through", "broken", "notes"), "")
    points = {question["name"]: question["score"] for question in result["questions"]}
    told = {name: result[name] for name in ("submission", "score", "max_score")}
    return {**empty, **told, **points}


if __name__ == "__main__":
    grade_all(*map(Path, sys.argv[1:4]))
