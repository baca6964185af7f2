"""`student.f(...)`, `compare.f(...)`, `unmodified.f(...)`: a call, and what is asked of it. What is
compared are the grader's own copies; nothing that the worker asserts decides a point."""

from __future__ import annotations

import copy
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from autograder import wire
from autograder.compare import (
    Mismatch,
    axes_of,
    check_form,
    check_gradients,
    check_unmodified,
    check_values,
)
from autograder.grading import phrases
from autograder.grading.check import Check
from autograder.grading.references import References
from autograder.grading.run import CheckFailed, Run
from autograder.sandbox import Answer
from autograder.worker.gradients import call_with_gradients, outputs_of


class Student:
    """`student.f(*args)`: the student's `f`, called in a confined worker.

    The value has the form of the reference's for the same arguments (structure, shape, dtype,
    finite), else the check fails; the values are not looked at.
    """

    def __init__(self, run: Run, check: Check, references: References) -> None:
        self._run = run
        self._check = check
        self._references = references

    def __getattr__(self, name: str) -> Callable[..., Any]:
        if name.startswith("_"):
            raise AttributeError(name)
        reference = getattr(self._references, name)

        def call(*arguments: object, **named: object) -> Any:
            upstream = self._upstream(reference, arguments, named)
            answer = self._run.call(self._check, name, arguments, named, upstream)
            return self._judged(reference, answer, arguments, named)

        return call

    def _upstream(
        self,
        reference: Callable[..., Any],
        arguments: tuple[object, ...],
        named: dict[str, object],
    ) -> Sequence[object]:
        """The gradients that are handed back through the call; none but where they are compared."""
        return ()

    def _judged(
        self,
        reference: Callable[..., Any],
        answer: Answer,
        arguments: tuple[object, ...],
        named: dict[str, object],
    ) -> Any:
        axes = axes_of(reference)
        expected = reference(*copy.deepcopy(arguments), **copy.deepcopy(named))
        by_name = {**dict(zip(axes.parameters, arguments, strict=False)), **named}
        hidden = self._check.hidden
        _require(self._compare(answer.value, expected, by_name, axes, hidden=hidden))
        if isinstance(expected, tuple) and isinstance(answer.value, list):
            return tuple(answer.value)
        return answer.value

    _compare = staticmethod(check_form)


class Compare(Student):
    """`compare.f(*args)`: as `student.f`, and the values are the reference's, within tolerance."""

    _compare = staticmethod(check_values)


class Unmodified(Compare):
    """`unmodified.f(*args)`: as `compare.f`, and the arguments' values are as they were.

    What became of the arguments is the worker's word, so it comes on top of right values and earns
    nothing by itself. A right answer that spoils its input loses this check alone.
    """

    def _judged(
        self,
        reference: Callable[..., Any],
        answer: Answer,
        arguments: tuple[object, ...],
        named: dict[str, object],
    ) -> Any:
        value = super()._judged(reference, answer, arguments, named)
        if answer.arguments is None:
            raise CheckFailed(phrases.TOO_LARGE)
        axes = axes_of(reference)
        names = [*axes.parameters[: len(arguments)], *named]
        before = dict(zip(names, [*arguments, *named.values()], strict=True))
        after = dict(zip(names, answer.arguments, strict=True))
        _require(check_unmodified(before, after, axes))
        return value


class Gradients(Compare):
    """`gradients.f(*args)`: as `compare.f`, and the gradients of the floating-point tensors among
    the arguments are the reference's, from an upstream gradient drawn for each call.

    They are computed where the code runs, the student's in the worker. So they are the worker's
    word, which comes on top of right values.

    Args:
        rng: draws the upstream gradients.
    """

    def __init__(
        self, run: Run, check: Check, references: References, rng: np.random.Generator
    ) -> None:
        super().__init__(run, check, references)
        self._rng = rng
        self._above: list[Any] = []

    def _upstream(
        self,
        reference: Callable[..., Any],
        arguments: tuple[object, ...],
        named: dict[str, object],
    ) -> Sequence[object]:
        value = reference(*copy.deepcopy(arguments), **copy.deepcopy(named))
        self._above = [
            wire.like(one, self._rng.normal(size=tuple(one.shape))) for one in outputs_of(value)
        ]
        if not self._above:
            raise TypeError(f"{reference.__name__}: no floating-point tensor to hand back through")
        return self._above

    def _judged(
        self,
        reference: Callable[..., Any],
        answer: Answer,
        arguments: tuple[object, ...],
        named: dict[str, object],
    ) -> Any:
        value = super()._judged(reference, answer, arguments, named)
        axes = axes_of(reference)
        own = wire.Arguments(list(copy.deepcopy(arguments)), copy.deepcopy(named), self._above)
        _, expected = call_with_gradients(reference, own)
        names = [*axes.parameters[: len(arguments)], *named]
        by_name = dict(zip(names, [*arguments, *named.values()], strict=True))
        hidden = self._check.hidden
        _require(check_gradients(answer.gradients, expected, by_name, axes, hidden=hidden))
        return value


def _require(mismatch: Mismatch | None) -> None:
    if mismatch is not None:
        raise CheckFailed(mismatch.message, f"{mismatch.kind}: {mismatch.detail}")
