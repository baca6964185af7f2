"""Mutants of the references against the graders: which of them no check sees. Each is run in a
child of this process, which is ended after a time; prints nothing, and writes no file."""

from __future__ import annotations

import resource
import time
from collections.abc import Callable, Mapping, Sequence
from importlib.abc import InspectLoader
from importlib.machinery import ModuleSpec
from importlib.util import module_from_spec
from pathlib import Path
from typing import Any, Literal

import msgspec

from autograder.errors import CourseError
from autograder.forks import Produced, run_all
from autograder.grading.references import importable
from autograder.handout.folder import read_text
from autograder.manifest import Assignment, Question
from autograder.results import Outcome
from autograder.sandbox import LINUX
from autograder.session import Graders
from autograder.text import one_line
from autograder.verify.failing import cases_of
from autograder.verify.fates import MutantFate, MutationReport
from autograder.verify.mutants import Mutant, mutants_of
from autograder.verify.proof import SEED
from autograder.verify.records import Equivalent

UNDONE = "The mutants were not graded."
LEAST_SECONDS, TIMES_THE_REFERENCE = 10.0, 20.0


class _Told(msgspec.Struct, frozen=True):
    """What a child says of its mutant."""

    how: Literal["checks", "import", ""]
    killers: tuple[str, ...] = ()
    broken: tuple[str, ...] = ()


def mutate(
    graders: Graders, records: Sequence[Equivalent], *, jobs: int, seconds: float | None = None
) -> MutationReport:
    """Grade every mutant of every reference, with the other references as they are.

    A mutant is killed when a check of its own question fails, when its module cannot be imported,
    and when it does not end or its process dies.

    Args:
        records: of mutants that are no mistakes.
        jobs: how many are graded side by side.
        seconds: that each may take; by default far more than the reference needs.

    Raises:
        CourseError: the reference itself fails a check, cosmic-ray is not installed, or no
            process can be forked safely here.
    """
    if not LINUX:
        raise CourseError(
            "mutants of the references",
            "each needs a process of its own, to be ended when it hangs; only Linux forks safely",
            "do it on Linux, or choose `--level basic`.",
            UNDONE,
        )
    assignment = graders.assignment
    mutants = mutants_of(assignment)
    needed = _seconds_of_the_reference(graders)
    limit = max(LEAST_SECONDS, TIMES_THE_REFERENCE * needed) if seconds is None else seconds

    def produce(at: int) -> bytes:
        return msgspec.json.encode(_told(graders, mutants[at]))

    fates = {
        produced.job: _fate(mutants[produced.job], produced)
        for produced in run_all(range(len(mutants)), produce, workers=jobs, seconds=limit)
    }
    in_order = tuple(fates[at] for at in range(len(mutants)))
    return MutationReport(assignment.name, in_order, tuple(records))


def _seconds_of_the_reference(graders: Graders) -> float:
    """What the references take on a mutant's way; were they to fail there, so would all mutants."""
    assignment = graders.assignment
    started = time.perf_counter()
    for question in assignment.manifest.enabled_questions:
        text = read_text(assignment.solutions / question.file, UNDONE)
        told = _graded(graders, question.name, "reference", _functions(assignment, question, text))
        wrong = [*told.killers, *told.broken]
        if wrong:
            raise CourseError(
                f"tests/{assignment.name}: {question.name}/{wrong[0]}",
                "does not pass the reference, so it would kill every mutant of it",
                f"run `autograder check {assignment.name} solutions/{assignment.name}`.",
                UNDONE,
            )
    return time.perf_counter() - started


def _told(graders: Graders, mutant: Mutant) -> _Told:
    """The child's part."""
    manifest = graders.assignment.manifest
    question = next(one for one in manifest.questions if one.name == mutant.question)
    _limit_memory(manifest.limits_of(question).memory_mb)
    try:
        replaced = _functions(graders.assignment, question, mutant.text)
    except Exception:
        return _Told("import")
    return _graded(graders, mutant.question, str(mutant), replaced)


def _functions(
    assignment: Assignment, question: Question, text: str
) -> dict[str, Callable[..., Any]]:
    """The functions of a mutated module; what it raises is its own."""
    loader = _Mutated(text)
    spec = ModuleSpec(question.module, loader, origin=str(assignment.solutions / question.file))
    module = module_from_spec(spec)
    with importable(assignment):
        loader.exec_module(module)
    return {name: getattr(module, name) for name in question.functions}


class _Mutated(InspectLoader):
    """Loads one reference with a change in it: the course's own text, never a student's."""

    def __init__(self, text: str) -> None:
        self._text = text

    def get_source(self, fullname: str) -> str:
        return self._text


def _graded(
    graders: Graders, question: str, name: str, replaced: Mapping[str, Callable[..., Any]]
) -> _Told:
    """The checks of a question that fail, and those that break."""
    cases = cases_of(graders, question, name, replaced, SEED)
    ended = {
        outcome: tuple(dict.fromkeys(case.check.name for case in cases if case.outcome is outcome))
        for outcome in (Outcome.FAILED, Outcome.BROKEN)
    }
    killers = ended[Outcome.FAILED]
    return _Told("checks" if killers else "", killers, ended[Outcome.BROKEN])


def _fate(mutant: Mutant, produced: Produced[int]) -> MutantFate:
    if produced.lost or not (produced.data or produced.failure):  # it may end as if all were well
        return MutantFate(mutant, (), "time")
    if produced.failure:
        last = produced.failure.strip().splitlines()[-1]
        raise CourseError(
            mutant.where,
            f"a mutant of it could not be graded: {one_line(last)}",
            "try again; if it happens again, the fault is the framework's: report it.",
            UNDONE,
        )
    told = msgspec.json.decode(produced.data, type=_Told)
    return MutantFate(mutant, told.killers, told.how, told.broken)


def _limit_memory(megabytes: int) -> None:
    """As a worker's: a mutant that asks for too much gets a MemoryError, and nobody else does."""
    pages = int(Path("/proc/self/statm").read_text(encoding="ascii").split()[0])
    wanted = pages * resource.getpagesize() + (megabytes << 20)
    hard = resource.getrlimit(resource.RLIMIT_AS)[1]
    resource.setrlimit(
        resource.RLIMIT_AS, (wanted if hard == resource.RLIM_INFINITY else min(wanted, hard), hard)
    )
