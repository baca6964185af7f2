"""What known mistakes do with the arguments that a student's function was called with, held against
what it did. They are called in this process; no cause is chosen here."""

from __future__ import annotations

import builtins
import enum
import functools
from collections.abc import Collection, Iterable
from dataclasses import dataclass, replace
from types import SimpleNamespace

from autograder import wire
from autograder.compare import (
    Axes,
    alike,
    axes_of,
    check_gradients,
    check_unmodified,
    check_values,
)
from autograder.grading.check import Check
from autograder.grading.costs import befores, strays
from autograder.grading.local import LocalCode
from autograder.grading.mistakes import Mistake
from autograder.grading.observation import Did, Observation, worded
from autograder.grading.references import References
from autograder.sandbox import StudentRaised


@dataclass(frozen=True)
class Cause:
    """A known mistake, and the failed checks that it explains.

    Args:
        told: those in which it gives the same wrong value as the student's code.
        on_equal_sizes: it was seen to do so when both were asked again, and only then.
    """

    mistake: Mistake
    checks: frozenset[Check]
    told: frozenset[Check] = frozenset()
    on_equal_sizes: bool = False


def most_explained(causes: Iterable[Cause]) -> Cause | None:
    """The cause that explains most, by values first; of equals the more fundamental one."""

    def order(one: Cause) -> tuple[int, int, int]:
        return -len(one.told), -len(one.checks), one.mistake.place

    return min(causes, key=order, default=None)


class Seen(enum.Enum):
    """What came of one call, beside what is right."""

    RIGHT = "right"
    WRONG = "a wrong value, or an argument that was spoilt"
    NO_VALUE = "nothing that has values to compare: an exception, or another shape"
    UNKNOWN = "no time, no worker, no room, or nothing that is right to compare with"


class Calls:
    """A student's calls of one function in the checks of a question.

    Args:
        failed: the question's checks that failed.
        given: functions that are given to students, and call theirs.
    """

    def __init__(
        self,
        function: str,
        references: References,
        observations: Iterable[Observation],
        failed: frozenset[Check],
        given: Collection[str] = (),
    ) -> None:
        self._references = references
        self._reference = LocalCode(references)
        own = [one for one in observations if one.function in {function, *given}]
        self._before = befores(own)
        # Most mistakes are refuted in the failed ones at once.
        self._observations = sorted(own, key=lambda one: one.check not in failed)
        self.failed = failed.intersection(one.check for one in own)
        self._same: dict[tuple[str, int], bool] = {}  # by mistake, and place among observations
        self._with_mistake: dict[str, LocalCode] = {}

    @functools.cached_property
    def _in_failed(self) -> list[tuple[Observation, Seen]]:
        own = (one for one in self._observations if one.check in self.failed)
        return [(one, self.seen(one, one.did)) for one in own]

    @property
    def without_value(self) -> list[Observation]:
        """Those of failed checks that came to no value."""
        return [one for one, seen in self._in_failed if seen is Seen.NO_VALUE]

    def is_taken(self, one: Observation) -> bool:
        """Whether the reference has an answer to the arguments of `one`."""
        return not isinstance(called(self._reference, one), str)

    @functools.cached_property
    def _wrong(self) -> frozenset[Check]:
        """The failed checks in which there is a wrong value."""
        return frozenset(
            one.check
            for one, seen in self._in_failed
            if one.answer is not None and seen is not Seen.RIGHT
        )

    def begins_alike(self, mistake: Mistake) -> bool:
        """Whether it does the same in the first call of the first failed check."""
        return bool(self.failed) and self._does_the_same(mistake, 0)

    def cause(self, mistake: Mistake, least: int = 0) -> Cause | None:
        """The checks that a mistake explains, if there are any.

        Args:
            least: how many it would have to tell. One that turns out to tell fewer is not looked
                at any further, nor is one that tells none and does not explain every failed check.
        """
        refuted = self._refuted(mistake, least=least)
        checks = self.failed - refuted
        return Cause(mistake, checks, checks & self._wrong) if checks else None

    def more_explained(self, cause: Cause) -> Cause:
        """The same cause, with the checks too that it explains loosely."""
        return replace(cause, checks=self.loosely_explained_by(cause.mistake))

    def loosely_explained_by(self, mistake: Mistake) -> frozenset[Check]:
        """The failed checks that the mistake explains; it is enough in them that neither gives a
        value to be looked at, or that both are wrong with the same numbers in another width."""
        return self.failed - self._refuted(mistake, loosely=True)

    def _refuted(
        self, mistake: Mistake, *, loosely: bool = False, least: int = 0
    ) -> frozenset[Check]:
        """The failed checks on one of whose inputs the mistake does not do as the student's code
        did; all of them where it does not in some check that passed, or is not looked at further.
        """
        refuted: set[Check] = set()
        for place, one in enumerate(self._observations):
            if refuted >= self.failed:
                break
            if one.check in refuted or self._does_the_same(mistake, place):
                continue
            if one.check not in self.failed:
                return self.failed
            if not (loosely and self._loosely_same(one, self.behaviour(mistake, one))):
                refuted.add(one.check)
                if not loosely and self._is_hopeless(refuted, least):
                    return self.failed
        return frozenset(refuted)

    def _is_hopeless(self, refuted: set[Check], least: int) -> bool:
        return len(self._wrong - refuted) < max(least, 1)

    def _does_the_same(self, mistake: Mistake, place: int) -> bool:
        key = (mistake.name, place)
        if key not in self._same:
            one = self._observations[place]
            # Where the student is right, so is the mistake: two right answers may differ in width.
            passed = one.check not in self.failed
            did = self.behaviour(mistake, one)
            same = self.same(one, did, any_width=passed)
            self._same[key] = same and self._costs_the_same(mistake, one, did)
        return self._same[key]

    def behaviour(self, mistake: Mistake, one: Observation) -> Did:
        """What a mistake does with the arguments of `one`; called by what is given, if that is
        what the student's code was called by."""
        if one.function == mistake.function:
            return behaviour(mistake, one)
        if mistake.name not in self._with_mistake:
            steps = self._references.with_steps({mistake.function: mistake.call})
            self._with_mistake[mistake.name] = LocalCode(steps)
        return called(self._with_mistake[mistake.name], one)

    def _costs_the_same(self, mistake: Mistake, one: Observation, did: Did) -> bool:
        """Whether what a call costs goes wrong from the call before it in the ways in which it does
        with the student's code: in some of them is enough."""
        before = self._before.get(id(one))
        if before is None:
            return True
        theirs = self._strays(before, one, before.did, one.did)
        mine = self._strays(before, one, self.behaviour(mistake, before), did)
        return mine <= theirs and bool(mine) == bool(theirs)

    def _strays(self, before: Observation, one: Observation, first: Did, then: Did) -> set[str]:
        """The measures that grow otherwise from one call to the next than the reference's."""
        right = [called(self._reference, each) for each in (before, one)]
        return strays((first, then), (right[0], right[1]))

    def same(self, one: Observation, did: Did, *, any_width: bool = False) -> bool:
        """Whether it is what the student's code did: values, form, NaN, kind of exception, and
        what became of the arguments."""
        if isinstance(did, str) or one.in_words is None:
            return one.did == did
        student, mistake = one.in_words, worded(did)
        pairs = [(student.value, mistake.value)]
        for got, given in (
            (student.arguments, mistake.arguments),
            (student.gradients, mistake.gradients),
        ):
            if got is None or given is None:
                if got is not given:
                    return False
            else:
                pairs += zip(got, given, strict=True)
        axes = self.axes_for(one)
        return all(alike(got, given, one.sent, axes, any_width=any_width) for got, given in pairs)

    def axes_for(self, one: Observation) -> Axes:
        """The axes of what was called in `one`."""
        return axes_of(getattr(self._references, one.function))

    def seen(self, one: Observation, did: Did) -> Seen:
        """How it looks beside what the reference gives for the arguments of `one`."""
        if isinstance(did, str):
            kind = getattr(builtins, did, None)
            ordinary = isinstance(kind, type) and issubclass(kind, Exception)
            return Seen.NO_VALUE if ordinary else Seen.UNKNOWN
        expected = called(self._reference, one)
        if isinstance(expected, str):
            return Seen.UNKNOWN
        right = worded(expected).value
        axes = self.axes_for(one)
        mismatch = check_values(did.value, right, one.sent, axes, hidden=True)
        if mismatch is None and did.arguments is not None:
            mismatch = check_unmodified(one.sent, did.arguments)
        if mismatch is None and one.how.upstream:
            right_ones = expected.gradients or []
            by_name = one.by_name(axes.parameters)
            mismatch = check_gradients(did.gradients, right_ones, by_name, axes, hidden=True)
        before = self._before.get(id(one))
        if mismatch is None and before is not None and did is one.did:
            return Seen.WRONG if self._strays(before, one, before.did, did) else Seen.RIGHT
        if mismatch is None:
            return Seen.RIGHT
        return Seen.NO_VALUE if mismatch.kind in {"structure", "shape"} else Seen.WRONG

    def _loosely_same(self, one: Observation, did: Did) -> bool:
        student, mistake = self.seen(one, one.did), self.seen(one, did)
        if student is not mistake or student is Seen.UNKNOWN:
            return False
        return student is not Seen.WRONG or self.same(one, did, any_width=True)


def behaviour(mistake: Mistake, one: Observation) -> Did:
    """What a mistake does with the arguments of `one`."""
    return called(LocalCode(SimpleNamespace(**{mistake.function: mistake.call})), one)


def called(code: LocalCode, one: Observation) -> Did:
    """What code of the course's own does with the arguments of `one`."""
    try:
        deadline = wire.Deadline()
        return code.call("", one.function, one.arguments, one.named, deadline, one.how)
    except StudentRaised as error:
        return error.kind
