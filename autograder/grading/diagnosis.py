"""Which known mistake behaves as a student's code did: called on the very inputs of the checks, in
this process. Only what the student's code gave is looked at, never the code."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence

from autograder.grading.asked_again import Ask, asked_again
from autograder.grading.behaviour import Calls, Cause, most_explained
from autograder.grading.check import Check
from autograder.grading.mistakes import Mistake
from autograder.grading.observation import Observation
from autograder.grading.references import References

__all__ = ["Ask", "Cause", "cause_of"]

NOT_WRITTEN = "NotImplementedError"  # a stub's own; no mistake


def cause_of(
    mistakes: Sequence[Mistake],
    references: References,
    observations: Sequence[Observation],
    failed: frozenset[Check],
    ask: Ask | None = None,
    given: Collection[str] = (),
) -> Cause | None:
    """The mistake that explains most of a question's failed checks; None where none explains one.

    It must behave as the student did on every input of each check that it explains, and on every
    input of each check that passed. Of equals the more fundamental one is named.

    That both raise the same kind of exception says little. So what gives the same wrong value
    somewhere comes first, and explains those checks too in which neither comes to a value; and
    where there is no such value, the student's code is asked again on equal sizes. By exceptions
    alone a mistake has to explain every failed check.

    Args:
        mistakes: those of the question.
        observations: of the question's checks, passed ones too.
        failed: the checks that failed.
        ask: calls the student's function once more, at most twice; without it nothing is asked.
        given: functions that are given to students, and call theirs.
    """
    if any(one.raised == NOT_WRITTEN for one in observations):
        return None
    calls = {
        function: Calls(function, references, observations, failed, given)
        for function in dict.fromkeys(one.function for one in mistakes)
    }
    exact, most = _exact(mistakes, calls)
    if most:
        told = [one for one in exact if len(one.told) == most]
        return most_explained(calls[one.mistake.function].more_explained(one) for one in told)
    exact = [one for one in exact if one.checks == calls[one.mistake.function].failed]
    if ask is None:
        return most_explained(exact)
    return asked_again(mistakes, list(calls.values()), exact, ask)


def _exact(mistakes: Sequence[Mistake], calls: Mapping[str, Calls]) -> tuple[list[Cause], int]:
    """Every mistake that fits and may be the cause, and how many checks the best of them tells.

    Those that begin like the student's code come first: what they tell soon rules the others out.
    """
    causes: list[Cause] = []
    most = 0
    for one in sorted(mistakes, key=lambda one: not calls[one.function].begins_alike(one)):
        cause = calls[one.function].cause(one, least=most)
        if cause is not None:
            causes.append(cause)
            most = max(most, len(cause.told))
    return causes, most
