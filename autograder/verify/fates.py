"""What became of each mutant, and what that says of the graders; runs nothing."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Literal

from autograder.handout import Problem
from autograder.verify.mutants import Mutant
from autograder.verify.records import EQUIVALENTS, Equivalent, stale_record

LEAST = 0.95
How = Literal["checks", "import", "time", ""]


@dataclass(frozen=True)
class MutantFate:
    """How one mutant ended.

    Args:
        killers: the checks of its own question that fail it.
        how: "import" when its module cannot be imported, "time" when it had to be ended, or its
            process died; "" when it survived.
        broken: the checks of its own question that it breaks, which kills nothing.
    """

    mutant: Mutant
    killers: tuple[str, ...]
    how: How
    broken: tuple[str, ...] = ()

    def fits(self, record: Equivalent) -> bool:
        """Whether it is the mutant that a record speaks of."""
        one = self.mutant
        return (one.question, one.before, one.after) == (
            record.question,
            record.before,
            record.after,
        )


@dataclass(frozen=True)
class MutationReport:
    """All of an assignment's mutants, in their order, and the records of equivalent ones."""

    assignment: str
    fates: tuple[MutantFate, ...]
    records: tuple[Equivalent, ...]

    @property
    def killed(self) -> list[MutantFate]:
        """Those that lost points, or never got as far."""
        return [fate for fate in self.fates if fate.how]

    @property
    def equivalent(self) -> list[MutantFate]:
        """Those that live and are recorded, with a reason, to be no mistakes."""
        return [fate for fate in self._alive if self.reason_of(fate)]

    @property
    def survivors(self) -> list[MutantFate]:
        """Those that live and are not recorded: no check sees them."""
        return [fate for fate in self._alive if not self.reason_of(fate)]

    def reason_of(self, fate: MutantFate) -> str:
        """Why a mutant that lives is no mistake; "" where no record says so."""
        return next((record.reason for record in self.records if fate.fits(record)), "")

    @property
    def stale(self) -> list[Equivalent]:
        """Records of which no living mutant is left."""
        return [record for record in self.records if not any(f.fits(record) for f in self._alive)]

    @property
    def score(self) -> float:
        """The part of the mutants that is killed, the equivalent ones left out."""
        counted = len(self.fates) - len(self.equivalent)
        return len(self.killed) / counted if counted else 1.0

    def problems(self, least: float = LEAST) -> list[Problem]:
        """What must be mended; survivors only when too few are killed.

        Args:
            least: the score that is enough.
        """
        survivors = self._survivor_problems() if self.score < least else ()
        return [*self._nothing(), *self._broken_checks(), *survivors, *self._stale_records()]

    @property
    def _alive(self) -> list[MutantFate]:
        return [fate for fate in self.fates if not fate.how]

    def _nothing(self) -> Iterator[Problem]:
        if not self.fates:
            what = "cosmic-ray finds nothing to change between the solution markers"
            fix = "put `# BEGIN SOLUTION` and `# END SOLUTION` around what students write."
            yield Problem(f"solutions/{self.assignment}", what, fix)

    def _broken_checks(self) -> Iterator[Problem]:
        for fate in self.fates:
            for check in fate.broken:
                where = f"tests/{self.assignment}: {fate.mutant.question}/{check}"
                fix = "let the check fail an answer like this one, in words for a student."
                yield Problem(where, f"is broken by a mutant of {fate.mutant}", fix)

    def _survivor_problems(self) -> Iterator[Problem]:
        for fate in self.survivors:
            what = f"no check of {fate.mutant.question!r} sees that {fate.mutant.change}"
            file = f"tests/{self.assignment}/{EQUIVALENTS}"
            fix = f"write one, or record it in {file} with a reason, if it is right."
            yield Problem(fate.mutant.where, what, fix)

    def _stale_records(self) -> Iterator[Problem]:
        for record in self.stale:
            killers = [name for f in self.fates if f.fits(record) for name in (*f.killers, f.how)]
            became = f"is killed ({killers[0]})" if killers else "arises no more"
            what = f"the mutant `{record.after}` of `{record.before}` {became}"
            yield stale_record(self.assignment, EQUIVALENTS, what)
