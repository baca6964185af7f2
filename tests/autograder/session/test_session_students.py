"""Wrong step files as students write them, each beside right ones: what they lose, what it is
called, and what their writers are told.

They were written from the handout and a list of common mistakes, without a look at the known
mistakes that they are held against here.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterable
from dataclasses import dataclass
from functools import cache
from pathlib import Path

import msgspec
import pytest

from autograder.forks import run_all
from autograder.grading.mistakes import Mistake, load_mistakes
from autograder.manifest import Question, find_course
from autograder.outputs import feedback_markdown
from autograder.results import Check, Outcome, Result, decode_result, encode_result
from autograder.results import Question as Graded
from autograder.sandbox import Sandbox
from autograder.session import Graders, with_graders
from autograder.shown import MOMENTS
from autograder.submissions import Staged, submission_in

ASSIGNMENT = find_course(Path(__file__).parents[3]).assignment("self_attention")
QUESTIONS = ASSIGNMENT.manifest.questions
WRITTEN = {path.stem: path for path in ASSIGNMENT.graders.glob("written_by_students/*.py")}
KINDS: dict[str, str | list[str]] = msgspec.toml.decode(
    (ASSIGNMENT.graders / "written_by_students" / "kinds.toml").read_text(encoding="utf-8")
)
RIGHT = ASSIGNMENT.examples / "right"
NAMED_RIGHTLY = 0.9  # of all files, at least
SECONDS = 120.0
SOME_CODE, LONG_NAME = 25, 12  # characters; what is shorter is nobody's own
OF_A_STEP = re.compile(r"\bsteps? \d( and \d)?")

students = pytest.mark.parametrize("stem", sorted(WRITTEN))


def kinds_of(stem: str) -> list[str]:
    """What its mistake may be called."""
    kinds = KINDS[stem]
    return [kinds] if isinstance(kinds, str) else kinds


def question_of(stem: str) -> Question:
    """The question that its file belongs to."""
    (found,) = (one for one in QUESTIONS if one.file == f"{stem.split('__')[0]}.py")
    return found


def staged(stem: str) -> Staged:
    """The file in its place, and right ones for the other steps."""
    right = submission_in(RIGHT, [one.file for one in QUESTIONS], "right").stage()
    text = WRITTEN[stem].read_text(encoding="utf-8")
    return Staged("a student", {**right.files, question_of(stem).file: text})


@dataclass(frozen=True)
class Seen:
    """A file's result."""

    stem: str
    result: Result

    @property
    def own(self) -> Graded:
        """The question of its file."""
        name = question_of(self.stem).name
        return next(one for one in self.result.questions if one.name == name)

    @property
    def named(self) -> set[str]:
        """The kinds that its own question's checks name."""
        return {check.mistake for check in self.own.checks if check.mistake}

    @property
    def others(self) -> list[Graded]:
        """The questions of the right files."""
        return [one for one in self.result.questions if one.name != self.own.name]

    @property
    def failing(self) -> list[Check]:
        """The checks that did not pass."""
        every = [check for question in self.result.questions for check in question.checks]
        return [check for check in every if check.outcome is not Outcome.PASSED]

    @property
    def read_by_the_student(self) -> str:
        """All that its writer reads, soon or after the due date."""
        pages = [
            feedback_markdown(self.result, ASSIGNMENT.manifest, moment=moment) for moment in MOMENTS
        ]
        return "\n".join([*pages, *(check.answer for check in self.failing)])


@pytest.fixture(scope="module")
def seen(sandbox: Sandbox) -> dict[str, Seen]:
    """Every file, graded by real workers, as a class is."""

    def grade(graders: Graders) -> dict[str, Seen]:
        def produce(stem: str) -> bytes:
            return encode_result(graders.grade(staged(stem), sandbox, 0, ""))

        results = {}
        for produced in run_all(sorted(WRITTEN), produce, workers=2, seconds=SECONDS):
            assert not produced.failure, produced.failure
            results[produced.job] = Seen(produced.job, decode_result(produced.data))
        return results

    return with_graders(ASSIGNMENT, grade)


@cache
def bank() -> list[Mistake]:
    """The known mistakes."""
    return load_mistakes(ASSIGNMENT)


@cache
def written_words() -> frozenset[str]:
    """What was written down before anything was graded: symptoms, and the graders' own words."""
    trees = [ast.parse(text) for text in _texts(ASSIGNMENT.graders.glob("test_*.py"))]
    constants = [
        node.value for tree in trees for node in ast.walk(tree) if isinstance(node, ast.Constant)
    ]
    symptoms = [one.symptom for one in bank()]
    return frozenset([*symptoms, *(one for one in constants if isinstance(one, str))])


@cache
def secrets() -> frozenset[str]:
    """Lines of our code, and names of hidden checks, known mistakes and helpers: no student may
    read them, but for what the handout says and what an answer tells after the due date."""
    told = "".join([*_texts(ASSIGNMENT.handout.glob("*.py")), *(one.answer for one in bank())])
    found: set[str] = set()
    for folder in (ASSIGNMENT.graders, ASSIGNMENT.solutions):
        for text in _texts(folder.glob("*.py")):
            names = re.findall(r"^def (?:test_)?(\w+)", text, re.MULTILINE)
            found.update(name for name in names if len(name) >= LONG_NAME)
            found.update(line for line in map(str.strip, text.splitlines()) if _is_telling(line))
    return frozenset(one for one in found if one not in told)


def _is_telling(line: str) -> bool:
    """Whether a line is some code of ours, and not words that may be meant to be read."""
    return len(line) >= SOME_CODE and '"' not in line and "'" not in line


def _texts(paths: Iterable[Path]) -> list[str]:
    return [path.read_text(encoding="utf-8") for path in sorted(paths)]


def test_every_file_has_a_kind_that_the_bank_knows():
    """No file is left out of the count below, and no kind in the list is misspelled."""
    known = {(one.question, one.kind) for one in bank()}

    assert KINDS.keys() == WRITTEN.keys()
    assert not [
        (stem, kind)
        for stem in WRITTEN
        for kind in kinds_of(stem)
        if (question_of(stem).name, kind) not in known
    ]


def test_mistakes_of_every_step_are_among_them():
    """At least six files for each step, twelve for the softmax and eight for the whole."""
    counts = [sum(question_of(stem) == one for stem in WRITTEN) for one in QUESTIONS]

    assert all(map(int.__ge__, counts, [6, 6, 6, 12, 6, 8])), counts


def test_nine_in_ten_are_called_what_a_teacher_would_call_them(seen):
    """One kind is named, and it is one that the list allows; every miss is listed."""
    misses = {
        stem: f"{one.named or 'nothing'}, not {kinds_of(stem)}"
        for stem, one in seen.items()
        if len(one.named) != 1 or not one.named <= set(kinds_of(stem))
    }

    assert len(misses) <= (1 - NAMED_RIGHTLY) * len(WRITTEN), misses


@students
def test_it_loses_points_in_its_own_step(seen, stem):
    """It is graded, and not all of its step's points are given."""
    own = seen[stem].own

    assert own.score is not None
    assert own.score < own.max_score


@students
def test_the_other_steps_keep_their_points(seen, stem):
    """A right file has full marks beside a wrong one, by follow-through if it builds on it; and no
    cause is named for it."""
    others = seen[stem].others

    assert [one.name for one in others if one.score != one.max_score] == []
    assert [check.mistake for one in others for check in one.checks if check.mistake] == []


@students
def test_hidden_words_hold_no_size_and_no_value(seen, stem):
    """What a hidden check says was written before anything was graded, or has no number in it."""
    said = {check.message for check in seen[stem].failing if check.visibility == "hidden"}

    assert said, "some hidden check has words for it"
    assert not [
        words for words in said - written_words() if re.search(r"\d", OF_A_STEP.sub("", words))
    ]


@students
def test_nothing_of_ours_is_in_what_its_writer_reads(seen, stem):
    """No line of a grader, a reference or a known mistake, and none of their names."""
    read = seen[stem].read_by_the_student
    details = {line for check in seen[stem].failing for line in check.detail.splitlines() if line}

    own = WRITTEN[stem].read_text(encoding="utf-8")  # what it has as well is no secret
    assert f"step {QUESTIONS.index(question_of(stem)) + 1}" in read, "it is a page on this file"
    assert not [secret for secret in secrets() if secret in read and secret not in own]
    assert not [line for line in details if line.startswith("behaves as") and line in read]


def test_the_same_search_finds_our_secrets_where_they_stand(seen):
    """The search is not blind: the instructor's record names hidden checks and known mistakes."""
    result = seen["step4_softmax__twice"].result
    hidden = {
        check.name
        for question in result.questions
        for check in question.checks
        if check.visibility == "hidden"
    }
    mistakes = {one.name for one in bank()}
    record = encode_result(result).decode()

    found = {secret for secret in secrets() if secret in record}

    assert found & hidden
    assert found & mistakes
    assert {"return scores / math.sqrt(d_k)  # (..., n_q, n_k)"} <= secrets()
