"""A secret in a grader, a reference and the results folder stays on the trusted side."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from autograder import wire
from autograder.manifest import Assignment, find_course
from autograder.results import Result, encode_result
from autograder.sandbox import Settings, open_sandbox
from autograder.sandbox.promise import LANDLOCK, SECCOMP, UID
from autograder.session import Graders, with_graders
from autograder.submissions import Staged, find_submissions

ROOT = Path(__file__).parents[2]
CANARY = "CANARY-7f3a"
WITHOUT_ANY = (LANDLOCK, SECCOMP, UID)

# Tries every way to a file that it knows the path of, and sends what it got in every way there is.
READER = """
import os, numpy as np
FOUND = []
for path in {paths!r}:
    try:
        FOUND.append(open(path, encoding="utf-8", errors="replace").read())
    except OSError as error:
        FOUND.append(f"{{path}}: {{error.strerror}}")
print(FOUND)

def softmax(scores):
    print(FOUND)
    raise RuntimeError("".join(FOUND)[-1500:])
"""


@pytest.fixture
def course(tmp_path: Path) -> Assignment:
    """A copy of the bundled course with a canary wherever a secret stands."""
    for name in ("assignments", "solutions", "tests"):
        target = tmp_path / "course" / name / "self_attention"
        shutil.copytree(ROOT / name / "self_attention", target)
    assignment = find_course(tmp_path / "course").assignment("self_attention")
    for path in secrets(assignment):
        path.parent.mkdir(exist_ok=True, parents=True)
        with path.open("a", encoding="utf-8") as file:
            file.write(f"\n# {CANARY}\n")
    for folder in (tmp_path, *list(tmp_path.parents)[:2]):  # the folders that pytest made
        folder.chmod(0o755)  # nothing but the layers is to keep the worker out
    return assignment


def secrets(assignment: Assignment) -> list[Path]:
    """A hidden grader, a reference, and a result of somebody else's."""
    return [
        assignment.graders / "test_step4_softmax.py",
        assignment.solutions / "step4_softmax.py",
        assignment.graders.parents[1] / "grades" / "results" / "somebody.json",
    ]


def grade_and_record(
    assignment: Assignment,
    staged: Staged,
    settings: Settings,
    monkeypatch: pytest.MonkeyPatch,
) -> tuple[Result, bytes]:
    """The result, and every byte that a worker sent."""
    received = bytearray()
    receive = wire.receive

    def recording(*arguments: object, **named: object) -> tuple[bytearray, bytearray]:
        head, body = receive(*arguments, **named)
        received.extend(head + body)
        return head, body

    def work(graders: Graders) -> Result:
        sandbox = open_sandbox(settings)
        try:
            return graders.grade(staged, sandbox, seed=1, key="")
        finally:
            sandbox.close()

    monkeypatch.setattr(wire, "receive", recording)
    result = with_graders(assignment, work)
    return result, bytes(received)


def staged(assignment: Assignment, example: str) -> Staged:
    files = [question.file for question in assignment.manifest.questions]
    return find_submissions(assignment.examples / example, files).submissions[0].stage()


def reader(assignment: Assignment) -> Staged:
    source = READER.format(paths=[str(path) for path in secrets(assignment)])
    return Staged("reader", {**staged(assignment, "right").files, "step4_softmax.py": source})


@pytest.mark.parametrize("which", ["searches_for_the_answers", "reader"])
def test_no_canary_is_in_anything_that_a_worker_sends(
    course: Assignment, which: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Neither a search of stack, heap and disk nor the exact paths bring a secret out."""
    submission = reader(course) if which == "reader" else staged(course, which)

    result, received = grade_and_record(course, submission, Settings(), monkeypatch)

    assert len(received) > 10_000, "the worker sent its answers"
    assert CANARY.encode() not in received
    assert CANARY.encode() not in encode_result(result)
    assert result.score is not None
    assert result.score < result.max_score


def test_the_same_search_finds_the_canary_where_nothing_is_confined(
    course: Assignment, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Without the layers the secret comes out: the test above is not blind."""
    settings = Settings(without=WITHOUT_ANY)

    _, received = grade_and_record(course, reader(course), settings, monkeypatch)

    assert CANARY.encode() in received
