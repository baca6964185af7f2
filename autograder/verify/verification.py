"""All that must hold before an assignment's graders may be used, and what the proof shows."""

from __future__ import annotations

import os
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Literal

from autograder.errors import CourseError
from autograder.grading.mistakes import Mistake, Variant, load_mistakes, load_variants
from autograder.grading.references import ready_for_forks
from autograder.handout import Problem
from autograder.manifest import Assignment, Manifest
from autograder.session import Graders, with_graders
from autograder.verify.arguments import other_arguments
from autograder.verify.cache import content_key, is_proved, remember
from autograder.verify.fates import MutationReport
from autograder.verify.known import mistake_problems, variant_problems
from autograder.verify.margins import (
    Margin,
    margin_problems,
    margins_of,
    stale_mild,
    stale_narrow,
)
from autograder.verify.matrix import Matrix, matrix_of
from autograder.verify.mutation import mutate
from autograder.verify.needs import stray_imports
from autograder.verify.proof import SEED, base_problems
from autograder.verify.records import Records, load_records
from autograder.verify.trials import Trial, try_all

Level = Literal["basic", "full"]


@dataclass(frozen=True, kw_only=True)
class Verification:
    """What is wrong with the graders, and what was looked at.

    Args:
        problems: empty when the graders are proved.
        variants: how many other right answers were graded.
        waiting: how many known answers were not: their question is not enabled.
        runs: how many seeds right answers were graded with.
        flakes: how many right answers, the reference's functions among them, lost points with one
            of these seeds.
        margins: of every check whose values known answers were compared by.
        records: what was excused, with reasons.
        mutation: of the references; None at the level "basic", and where they cannot be mutated.
    """

    problems: list[Problem]
    matrix: Matrix
    variants: int
    waiting: int
    runs: int
    flakes: int
    margins: list[Margin]
    records: Records
    mutation: MutationReport | None


def verify(assignment: Assignment, level: Level = "basic", runs: int = 1) -> Verification:
    """Grade the reference, the stubs, every variant and every mistake; at the level "full" every
    mutant of the references too, and ask what room the tolerances leave.

    Args:
        runs: how many seeds right answers are graded with.

    Raises:
        CourseError: the graders cannot be collected, a mistake, a variant or a record is not well
            described, or there is no sandbox.
    """
    known = _Known(load_mistakes(assignment), load_variants(assignment), load_records(assignment))
    return with_graders(assignment, lambda graders: _verified(graders, known, level, runs))


def prove(assignment: Assignment) -> list[Problem]:
    """The problems that `verify` finds; what was proved here before is not proved again."""
    key = content_key(assignment)
    if is_proved(assignment, key):
        return []
    problems = verify(assignment).problems
    if not problems:
        remember(assignment, key)
    return problems


@dataclass(frozen=True)
class _Known:
    """What the course knows beforehand, read before anything is graded."""

    mistakes: list[Mistake]
    variants: list[Variant]
    records: Records


def _verified(graders: Graders, known: _Known, level: Level, runs: int) -> Verification:
    assignment, records = graders.assignment, known.records
    ready_for_forks(assignment)
    answers = [*known.variants, *known.mistakes]
    problems = [*base_problems(graders), *stray_imports(assignment)]
    problems += other_arguments(answers, graders.references)
    right = _right(graders, known.variants, runs)
    wrong = try_all(graders, known.mistakes, [SEED])
    problems += _of_known_answers(right, wrong, assignment.manifest)
    matrix = matrix_of(assignment.name, graders.checks(), wrong)
    margins = margins_of([*right, *wrong], records.mild)
    problems += stale_narrow(assignment.name, matrix.names, margins, records.narrow)
    problems += stale_mild(assignment.name, wrong, records.mild)
    mutation = None
    if level == "full":
        mutation, of_mutants = _mutated(graders, records)
        problems += [*of_mutants, *margin_problems(assignment.name, margins, records.narrow)]
    return Verification(
        problems=problems,
        matrix=matrix,
        variants=sum(one.question in matrix.checks for one in known.variants),
        waiting=sum(one.question not in matrix.checks for one in answers),
        runs=runs,
        flakes=len({trial.answer.name for trial in right if trial.lost}),
        margins=margins,
        records=records,
        mutation=mutation,
    )


def _right(graders: Graders, variants: Sequence[Variant], runs: int) -> list[Trial]:
    """The other right answers with every seed, and the reference with all but the first, with
    which it is graded in workers."""
    seeds = range(SEED, SEED + runs)
    others = try_all(graders, variants, seeds)
    return [*others, *try_all(graders, _as_variants(graders), seeds[1:])]


def _as_variants(graders: Graders) -> list[Variant]:
    """The references' own functions, as right answers among others."""
    return [
        Variant(
            name=f"reference_{function}",
            question=question.name,
            function=function,
            call=getattr(graders.references, function),
        )
        for question in graders.assignment.manifest.enabled_questions
        for function in question.functions
    ]


def _of_known_answers(
    right: Iterable[Trial], wrong: Iterable[Trial], manifest: Manifest
) -> list[Problem]:
    return [
        *_once(problem for trial in right for problem in variant_problems(trial)),
        *(problem for trial in wrong for problem in mistake_problems(trial, manifest)),
    ]


def _once(problems: Iterable[Problem]) -> list[Problem]:
    """Of one answer and check, the first seed's problem only."""
    first: dict[tuple[str, str], Problem] = {}
    for problem in problems:
        first.setdefault((problem.where, problem.what.partition(" fails it")[0]), problem)
    return list(first.values())


def _mutated(graders: Graders, records: Records) -> tuple[MutationReport | None, list[Problem]]:
    """The mutants, graded. Where they cannot be, that is a problem: the others are said as well."""
    try:
        report = mutate(graders, records.equivalents, jobs=os.cpu_count() or 1)
    except CourseError as error:
        return None, [Problem(error.where, error.problem, f"{error.fix} {error.undone}")]
    return report, report.problems()
