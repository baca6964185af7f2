"""What came of each call of a student's function, kept for the diagnosis, and bounded."""

from __future__ import annotations

import copy
import functools
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from autograder import wire
from autograder.grading.check import Check
from autograder.sandbox import Answer
from autograder.wire import Foreign, is_tensor

KEPT = 4 << 20  # bytes of one answer
KEPT_IN_ALL = 64 << 20  # bytes of all that is kept of one submission
_OBJECT = 256  # bytes that an array or a container takes by itself
TOO_LARGE = "too large to keep"  # no mistake raises it

Did = Answer | str  # what a call gave, or the kind of the exception that it raised


@dataclass(frozen=True)
class Observation:
    """One call of a student's function, and what came of it, as it was then: a check may go on to
    change its arrays.

    Args:
        answer: None where it raised, or gave too much to keep. Arguments that came back too large
            are forgotten alone: what became of them is the student's choice.
        raised: the exception's kind; "" where it gave a value.
        how: it was called.
    """

    check: Check
    function: str
    arguments: tuple[object, ...]
    named: dict[str, object]
    answer: Answer | None
    raised: str = ""
    how: wire.How = wire.PLAIN

    def __post_init__(self) -> None:
        answer = self.answer
        if answer is not None and _size([answer.value, answer.gradients]) > KEPT:
            object.__setattr__(self, "answer", None)
            object.__setattr__(self, "raised", TOO_LARGE)
        elif answer is not None and _size(answer.arguments) > KEPT:
            object.__setattr__(self, "answer", replace(answer, arguments=None))
        for name in ("arguments", "named", "answer", "how"):
            object.__setattr__(self, name, copy.deepcopy(getattr(self, name)))

    @functools.cached_property
    def in_words(self) -> Answer | None:
        """The answer, with words for whatever could not be sent: words can be compared."""
        return None if self.answer is None else worded(self.answer)

    @property
    def did(self) -> Did:
        """What the student's code did."""
        return self.raised if self.answer is None else self.answer

    def by_name(self, parameters: Sequence[str]) -> dict[str, object]:
        """The arguments by the names of these parameters."""
        own = dict(zip(parameters, self.arguments, strict=False))
        return {**own, **self.named, **self.how.weights}

    @property
    def sent(self) -> list[object]:
        """All arguments, in the order in which they were sent; an instance's weights come last."""
        return [*self.arguments, *self.named.values(), *self.how.weights.values()]

    @property
    def size(self) -> int:
        """About how many bytes its values take."""
        answer = self.answer
        given = [] if answer is None else [answer.value, answer.arguments, answer.gradients]
        return _size([self.sent, self.how.upstream, *given])


def worded(answer: Answer) -> Answer:
    """The same answer, with words for whatever could not be sent."""
    return replace(
        answer,
        value=_in_words(answer.value),
        arguments=_in_words(answer.arguments),
        gradients=_in_words(answer.gradients),
    )


def _in_words(value: Any) -> Any:
    if isinstance(value, Foreign):
        return f"not sent: {value.kind}"
    if isinstance(value, list | tuple):
        return type(value)(map(_in_words, value))
    if isinstance(value, dict):
        return {key: _in_words(one) for key, one in value.items()}
    return value


class Observations:
    """Those of one submission, in order: `KEPT_IN_ALL` bytes of values at most. What comes once
    they are reached is kept without its values, and no mistake is held against it."""

    def __init__(self) -> None:
        self._left = KEPT_IN_ALL
        self._kept: list[Observation] = []

    def append(self, one: Observation) -> None:
        """Keep it, or only that it was too large to keep."""
        if one.size > self._left:
            one = Observation(one.check, one.function, (), {}, None, TOO_LARGE)
        self._left -= one.size
        self._kept.append(one)

    def __getitem__(self, at: int) -> Observation:
        return self._kept[at]

    def __iter__(self) -> Iterator[Observation]:
        return iter(self._kept)

    def __len__(self) -> int:
        return len(self._kept)


def _size(value: Any) -> int:
    """About how many bytes a value of a worker's takes, empty ones too; never deep, see `wire`."""
    if isinstance(value, np.ndarray) or is_tensor(value):
        return _OBJECT + value.nbytes
    if isinstance(value, dict):
        return _OBJECT + sum(map(_size, (*value, *value.values())))
    if isinstance(value, list | tuple):
        return _OBJECT + sum(map(_size, value))
    return _OBJECT + len(value) if isinstance(value, str) else 64
