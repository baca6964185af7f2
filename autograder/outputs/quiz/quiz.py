"""An assignment's known mistakes → a quiz: what stands on the sheet, and what on its key."""

from __future__ import annotations

import ast
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from autograder.errors import CourseError
from autograder.grading.check import Check
from autograder.grading.mistakes import MISTAKES, Mistake, load_mistakes
from autograder.manifest import Assignment
from autograder.outputs.quiz.choice import Candidate, Chosen, Look, Seen, Sight, choose
from autograder.outputs.quiz.contract import Contract, contract_line, contract_of
from autograder.outputs.quiz.printed import LONGEST, Printed, Unfit, printed
from autograder.session import Graders, with_graders
from autograder.text import one_line
from autograder.verify.failing import failing_checks
from autograder.verify.proof import SEED

MINUTES = 2  # for one item
NAMED = 3  # mistakes that do not fit, in an error


@dataclass(frozen=True)
class Task:
    """What a student reads of one item; holds nothing that gives the mistake away.

    Args:
        calls: what the other steps give that its code calls.
    """

    step: int
    contract: Contract
    printed: Printed
    calls: tuple[str, ...]


@dataclass(frozen=True)
class Item:
    """One item of the sheet, and for staff what is wrong with its code and which checks see it."""

    task: Task
    mistake: Mistake
    sight: Sight


@dataclass(frozen=True)
class Quiz:
    """A sheet and its key.

    Args:
        seed: the same one gives the same quiz, as long as the course is the same.
    """

    assignment: str
    title: str
    seed: int
    items: tuple[Item, ...]

    @property
    def minutes(self) -> int:
        """How long it takes."""
        return MINUTES * len(self.items)


def make_quiz(assignment: Assignment, seed: int, count: int) -> Quiz:
    """Draw a quiz of `count` items.

    Raises:
        CourseError: there are too few known mistakes that fit on paper, one of them is not well
            described, or the graders cannot be collected.
    """

    def work(graders: Graders) -> Quiz:
        return quiz_of(graders, seed, count, lambda mistakes: look(graders, mistakes))

    return with_graders(assignment, work)


def quiz_of(graders: Graders, seed: int, count: int, look: Look) -> Quiz:
    """Draw a quiz with what `look` says of mistakes."""
    assignment = graders.assignment
    candidates, unfit = _candidates(assignment)
    chosen = choose(candidates, seed, count, look)
    if len(chosen) < count:
        raise _too_few(assignment, len(chosen), count, unfit)
    items = tuple(_item(graders, one) for one in chosen)
    return Quiz(assignment.name, assignment.manifest.title, seed, items)


def _candidates(assignment: Assignment) -> tuple[list[Candidate], list[str]]:
    """The mistakes that fit on paper, by question; and of the others which, and why they do not."""
    questions = [question.name for question in assignment.manifest.enabled_questions]
    mistakes = [one for one in load_mistakes(assignment) if one.question in questions]
    steps = [question.module for question in assignment.manifest.questions]
    candidates, unfit = [], []
    for mistake in sorted(mistakes, key=lambda one: questions.index(one.question)):
        try:
            candidates.append(Candidate(mistake, printed(mistake, steps)))
        except Unfit as why:
            unfit.append(f"{mistake.name} {why}")
    return candidates, unfit


def _too_few(assignment: Assignment, got: int, count: int, unfit: Sequence[str]) -> CourseError:
    more = f"; and {len(unfit) - NAMED} more" * (len(unfit) > NAMED)
    why = f" (these do not fit: {'; '.join(unfit[:NAMED])}{more})" if unfit else ""
    fewer = f", or ask for fewer with --questions {got}" if got else ""
    return CourseError(
        assignment.graders / MISTAKES,
        f"expected {count} known mistakes of different kinds that fit on paper and that a check "
        f"sees, got {got}{why}",
        f"write more, of at most {LONGEST} lines and with nothing else of their file{fewer}.",
        "Nothing was written.",
    )


def _item(graders: Graders, one: Chosen) -> Item:
    manifest = graders.assignment.manifest
    question = next(each for each in manifest.questions if each.name == one.mistake.question)
    references = graders.references
    steps = [name for each in manifest.questions for name in each.functions]
    called = sorted(one.printed.calls, key=steps.index)
    task = Task(
        manifest.step_of(question),
        contract_of(getattr(references, one.mistake.function)),
        one.printed,
        tuple(contract_line(getattr(references, name)) for name in called),
    )
    return Item(task, one.mistake, one.sight)


def look(graders: Graders, mistakes: Sequence[Mistake]) -> Mapping[str, Sight]:
    """Try the mistakes with their own questions' checks.

    Raises:
        CourseError: one could not be graded.
    """
    checks = {(check.question, check.name): check for check in graders.checks()}
    sizes = Counter(question for question, _ in checks)
    found = failing_checks(graders, mistakes, SEED)
    return {
        one.name: Sight(
            tuple(
                _seen(checks[one.question, name], said)
                for name, said in found[one.name].items()
                if not said.startswith("gradient:")  # nobody works those out on paper
            ),
            sizes[one.question],
        )
        for one in mistakes
    }


def _seen(check: Check, detail: str) -> Seen:
    """With what was found, where that needs no hidden input to be understood."""
    found = detail.partition("\n")[0]
    says_nothing = found.startswith("values:") or f"{check.file.name}:" in found
    law = _law(check.file, check.name)
    return Seen(check.name, law, "" if says_nothing else one_line(found, 160))


def _law(file: Path, check: str) -> str:
    """The first line of a check's docstring, else its name in words."""
    for node in ast.walk(ast.parse(file.read_bytes())):
        if isinstance(node, ast.FunctionDef) and node.name.removeprefix("test_") == check:
            line = (ast.get_docstring(node) or "").partition("\n")[0].strip()
            return line or check.replace("_", " ")
    return check.replace("_", " ")
