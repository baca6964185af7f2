"""What calls cost, held against what the reference's cost: not how much, but how it grows from one
call of a check to the next. Calls nothing."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping

from autograder.grading.observation import Did, Observation
from autograder.sandbox import Answer

# Of the logarithms (to base 2) of how many times as much the second call costs: what constants and
# lower terms do between n and 2 n.
_ROOM = 0.25


def befores(observations: Iterable[Observation]) -> dict[int, Observation]:
    """For each measured call of a function, by its identity, the measured one before it in its
    check; the first one has none."""
    last: dict[object, Observation] = {}
    found = {}
    for one in observations:
        if one.how.way != "measured":
            continue
        place = (one.check, one.function)
        if place in last:
            found[id(one)] = last[place]
        last[place] = one
    return found


def strays(did: tuple[Did, Did], right: tuple[Did, Did]) -> set[str]:
    """The measures that grow otherwise from one call to the next than they do if all is right.

    Args:
        did: what came of both calls.
        right: what comes of them with the reference.
    """
    if any(isinstance(one, str) for one in (*did, *right)):
        return set()
    grown, expected = _growth(*did), _growth(*right)
    return {
        name for name in grown.keys() & expected.keys() if abs(grown[name] - expected[name]) > _ROOM
    }


def _growth(first: Did, then: Did) -> Mapping[str, float]:
    assert isinstance(first, Answer), "asked before"
    assert isinstance(then, Answer), "asked before"
    return {
        name: math.log2((then.measures[name] + 1) / (first.measures[name] + 1))
        for name in then.measures.keys() & first.measures.keys()
    }
