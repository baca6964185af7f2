"""How much room the tolerances leave: right answers well within them, wrong ones far beyond."""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Collection, Iterable, Iterator, Sequence

import msgspec

from autograder.grading.mistakes import Mistake
from autograder.handout import Problem
from autograder.verify.errors import Errors
from autograder.verify.records import MILD, NARROW, Mild, Narrow, stale_record
from autograder.verify.trials import Trial

# In multiples of what is allowed: no right answer above the first, no wrong one below the second.
GAPS = {"float64": (0.01, 100.0), "float32": (0.1, 10.0)}
HALF = (1.0, 0.0)  # half types only have to pass right answers


class Margin(msgspec.Struct, frozen=True, kw_only=True):
    """One check's room on both sides, for one dtype, in multiples of what is allowed."""

    check: str  # "question/check"
    dtype: str
    variant: float  # the worst right answer's error
    mistake: float | None  # the mildest wrong answer's, of those that the check sees by values
    mildest: str = ""  # which that is

    @property
    def is_narrow(self) -> bool:
        """Whether a right answer comes too near to the bound, or a wrong one."""
        most, least = GAPS.get(self.dtype, HALF)
        return self.variant > most or (self.mistake is not None and self.mistake < least)


def margins_of(trials: Iterable[Trial], mild: Sequence[Mild] = ()) -> list[Margin]:
    """Every check's margins, from what known answers gave on its inputs.

    Args:
        mild: mistakes that narrow nothing.
    """
    left_out = {record.mistake for record in mild}
    variants: dict[tuple[str, str], float] = defaultdict(float)
    mistakes: dict[tuple[str, str], tuple[float, str]] = {}
    for trial in trials:
        if not isinstance(trial.answer, Mistake):
            for check, dtype, off in trial.errors:
                variants[check, dtype] = max(variants[check, dtype], off)
        elif trial.answer.name not in left_out:
            for check, dtype, off in _seen_by_values(trial):
                known = mistakes.get((check, dtype), (math.inf, ""))
                mistakes[check, dtype] = min(known, (off, trial.answer.name))
    return [
        Margin(
            check=name,
            dtype=dtype,
            variant=variants[name, dtype],
            mistake=mistakes.get((name, dtype), (None, ""))[0],
            mildest=mistakes.get((name, dtype), (None, ""))[1],
        )
        for name, dtype in sorted({*variants, *mistakes})
    ]


def _seen_by_values(trial: Trial) -> Errors:
    """Where a check of its own question sees a mistake by values, and by how much."""
    killers = {f"{trial.answer.question}/{check.name}" for check in trial.killers}
    return [
        (check, dtype, off) for check, dtype, off in trial.errors if check in killers and off > 1
    ]


def margin_problems(
    assignment: str, margins: Sequence[Margin], records: Sequence[Narrow]
) -> Iterator[Problem]:
    """Checks with too little room, for which no reason is given."""
    told = {(record.check, record.dtype) for record in records}
    for margin in margins:
        if margin.is_narrow and (margin.check, margin.dtype) not in told:
            yield _too_narrow(assignment, margin)


def _too_narrow(assignment: str, margin: Margin) -> Problem:
    most, least = GAPS.get(margin.dtype, HALF)
    what = (
        f"is narrow in {margin.dtype}: the worst right answer is off by {margin.variant:.2g} of "
        f"what is allowed (at most {most:g})"
    )
    if margin.mistake is not None:
        what += (
            f", {margin.mildest}, the mildest wrong one, {margin.mistake:.3g} (at least {least:g})"
        )
    file = f"tests/{assignment}/{NARROW}"
    fix = f"draw inputs on which right and wrong differ more, or say why not in {file}."
    return Problem(f"tests/{assignment}: {margin.check}", what, fix)


def stale_narrow(
    assignment: str, checks: Collection[str], margins: Sequence[Margin], records: Sequence[Narrow]
) -> Iterator[Problem]:
    """Records of checks, or of dtypes, that there are not.

    Args:
        checks: all there are, as "question/check".
    """
    places = {(margin.check, margin.dtype) for margin in margins}
    for record in records:
        if record.check not in checks:
            yield stale_record(assignment, NARROW, f"there is no check {record.check!r}")
        elif (record.check, record.dtype) not in places:
            what = f"{record.check!r} judges no known answer as {record.dtype!r}"
            yield stale_record(assignment, NARROW, what)


def stale_mild(
    assignment: str, trials: Sequence[Trial], records: Sequence[Mild]
) -> Iterator[Problem]:
    """Records of mistakes that there are not, or that are not mild."""
    known = {(trial.answer.question, trial.answer.name): trial for trial in trials}
    for record in records:
        trial = known.get((record.question, record.mistake))
        if trial is None:
            what = f"there is no mistake {record.mistake!r} in {record.question!r}"
            yield stale_record(assignment, MILD, what)
        elif not any(off < GAPS.get(dtype, HALF)[1] for _, dtype, off in _seen_by_values(trial)):
            what = f"{record.mistake!r} is off by enough wherever a check sees it by values"
            yield stale_record(assignment, MILD, what)
