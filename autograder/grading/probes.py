"""`probe.f(...)` and `portable.f(...)`: what values cannot show. It is told by the worker, so it
comes on top of right values and never stands in their place."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

from autograder.compare import describe
from autograder.grading import phrases
from autograder.grading.proxies import Call, Compare
from autograder.grading.run import CheckFailed
from autograder.wire import MEASURES


@dataclass(frozen=True)
class Probed:
    """What a call of the student's gave and cost, counted and not timed.

    Args:
        operations: that torch dispatched, views among them.
        flops: of matrix products, two for each multiplication; and one for each entry of what is
            multiplied or divided entry by entry.
        largest: the numbers of the largest tensor that it made.
        peak: bytes of what it made that was there at once.
        depth: the longest path of the gradient graph from what it gave.
    """

    value: Any
    operations: int
    flops: int
    largest: int
    peak: int
    depth: int


class Probe(Compare):
    """`probe.f(*args)`: as `compare.f`, and gives what the call cost as well."""

    def _asked(self, call: Call) -> Any:
        call = replace(call, how=replace(call.how, way="measured"))
        answer = self._answer(call)
        value = self._judged(call, answer)
        if len(answer.measures) != len(MEASURES):
            raise CheckFailed(phrases.NO_ANSWER, f"measures: {sorted(answer.measures)}")
        return Probed(value, **answer.measures)


class Portable(Compare):
    """`portable.f(*args)`: as `compare.f`, and its tensors stay on one device, whichever it is.

    The second call is on meta tensors; a text argument of the name `device` is "meta" in it.
    """

    def _asked(self, call: Call) -> Any:
        value = super()._asked(call)
        answer = self._answer(replace(call, how=replace(call.how, way="moved")))
        said = phrases.moved(answer.value, call.name, answer.where, hidden=self._check.hidden)
        if said:
            raise CheckFailed(said, f"{describe(answer.value)}: {list(answer.where)}")
        return value
