"""How much room the tolerances leave: right answers well within them, wrong ones far beyond."""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from typing import Annotated

import msgspec
from msgspec import Meta

from autograder.errors import CourseError
from autograder.grading.mistakes import Mistake
from autograder.handout import Problem
from autograder.handout.folder import read_text
from autograder.manifest import Assignment
from autograder.verify.trials import Trial

# In multiples of what is allowed: no right answer above the first, no wrong one below the second.
GAPS = {"float64": (0.01, 100.0), "float32": (0.1, 10.0)}
HALF = (1.0, 0.0)  # half types only have to pass right answers
NARROW = "narrow.toml"


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


def margins_of(trials: Iterable[Trial]) -> list[Margin]:
    """Every check's margins, from what known answers gave on its inputs."""
    variants: dict[tuple[str, str], float] = defaultdict(float)
    mistakes: dict[tuple[str, str], tuple[float, str]] = {}
    for trial in trials:
        killers = {f"{trial.answer.question}/{check.name}" for check in trial.killers}
        for check, dtype, off in trial.errors:
            place = (check, dtype)
            if not isinstance(trial.answer, Mistake):
                variants[place] = max(variants[place], off)
            elif check in killers and off > 1:
                known = mistakes.get(place, (math.inf, ""))
                mistakes[place] = min(known, (off, trial.answer.name))
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


class Narrow(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A check that cannot have the room, and why."""

    check: str  # "question/check"
    dtype: str
    reason: Annotated[str, Meta(pattern=r"\S")]


class _File(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    narrow: list[Narrow] = []


def load_narrow(assignment: Assignment) -> list[Narrow]:
    """The checks that the course says cannot have the room; none where there is no file.

    Raises:
        CourseError: the file cannot be read, or is not as above.
    """
    path = assignment.graders / NARROW
    if not path.exists():
        return []
    text = read_text(path, "Nothing was proved.")
    try:
        return msgspec.toml.decode(text, type=_File).narrow
    except (msgspec.MsgspecError, ValueError, RecursionError) as error:
        fix = "begin each record with `[[narrow]]` and give it check, dtype and a reason."
        raise CourseError(path, f"cannot be understood: {error}", fix) from None


def margin_problems(margins: Sequence[Margin], reasons: Sequence[Narrow]) -> Iterator[Problem]:
    """Checks with too little room, for which no reason is given."""
    told = {(one.check, one.dtype) for one in reasons}
    for margin in margins:
        if margin.is_narrow and (margin.check, margin.dtype) not in told:
            yield _too_narrow(margin)


def _too_narrow(margin: Margin) -> Problem:
    most, least = GAPS.get(margin.dtype, HALF)
    what = (
        f"is narrow in {margin.dtype}: the worst right answer is off by {margin.variant:.2g} of "
        f"what is allowed (at most {most:g})"
    )
    if margin.mistake is not None:
        what += (
            f", {margin.mildest}, the mildest wrong one, {margin.mistake:.3g} (at least {least:g})"
        )
    fix = f"draw inputs on which right and wrong differ more, or say why not in {NARROW}."
    return Problem(margin.check, what, fix)
