"""All that must hold before an assignment's graders may be used, and what the proof shows."""

from __future__ import annotations

import os
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Literal

from autograder.grading.mistakes import Variant, load_mistakes, load_variants
from autograder.handout import Problem
from autograder.manifest import Assignment
from autograder.session import Graders, with_graders
from autograder.verify.cache import content_key, is_proved, remember
from autograder.verify.fates import MutationReport
from autograder.verify.known import mistake_problems, variant_problems
from autograder.verify.margins import Margin, load_narrow, margin_problems, margins_of
from autograder.verify.matrix import Matrix, matrix_of
from autograder.verify.mutation import mutate
from autograder.verify.needs import stray_imports
from autograder.verify.proof import SEED, base_problems
from autograder.verify.trials import try_all

Level = Literal["basic", "full"]


@dataclass(frozen=True, kw_only=True)
class Verification:
    """What is wrong with the graders, and what was looked at.

    Args:
        problems: empty when the graders are proved.
        variants: how many other right answers there are.
        runs: how many seeds right answers were graded with.
        flakes: right answers that lost points with one of them.
        margins: of every check, where runs were made.
        mutation: of the references; None at the level "basic".
    """

    problems: list[Problem]
    matrix: Matrix
    variants: int
    runs: int
    flakes: int
    margins: list[Margin]
    mutation: MutationReport | None


def verify(assignment: Assignment, level: Level = "basic", runs: int = 1) -> Verification:
    """Grade the reference, the stubs, every variant and every mistake; at the level "full" every
    mutant of the references too.

    Args:
        runs: how many seeds right answers are graded with.

    Raises:
        CourseError: the graders cannot be collected, a mistake or variant is not well described,
            or there is no sandbox.
    """
    mistakes, variants = load_mistakes(assignment), load_variants(assignment)

    def work(graders: Graders) -> Verification:
        problems = [*base_problems(graders), *stray_imports(assignment)]
        seeds = range(SEED, SEED + runs)
        right = try_all(graders, variants, seeds)
        right += try_all(graders, _as_variants(graders), seeds[1:])  # the first is looked at above
        wrong = try_all(graders, mistakes, [SEED])
        flakes = [trial for trial in right if trial.lost]
        problems += _once(problem for trial in flakes for problem in variant_problems(trial))
        problems += [problem for trial in wrong for problem in mistake_problems(trial)]
        margins = margins_of([*right, *wrong])
        mutation = None
        if level == "full":
            mutation = mutate(graders, jobs=os.cpu_count() or 1)
            problems += mutation.problems()
            problems += margin_problems(margins, load_narrow(assignment))
        return Verification(
            problems=problems,
            matrix=matrix_of(assignment.name, graders.checks(), wrong),
            variants=len(variants),
            runs=runs,
            flakes=len(flakes),
            margins=margins,
            mutation=mutation,
        )

    return with_graders(assignment, work)


def prove(assignment: Assignment) -> list[Problem]:
    """The problems that `verify` finds; what was proved here before is not proved again."""
    key = content_key(assignment)
    if is_proved(assignment, key):
        return []
    problems = verify(assignment).problems
    if not problems:
        remember(assignment, key)
    return problems


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


def _once(problems: Iterable[Problem]) -> list[Problem]:
    """Of one answer and check, the first seed's problem only."""
    first: dict[tuple[str, str], Problem] = {}
    for problem in problems:
        first.setdefault((problem.where, problem.what.partition(" fails it")[0]), problem)
    return list(first.values())
