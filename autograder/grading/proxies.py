"""`student.f(...)`, `compare.f(...)`, `unmodified.f(...)`: a call, and what is asked of it. What is
compared are the grader's own copies; nothing that the worker asserts decides a point."""

from __future__ import annotations

import copy
from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from autograder import wire
from autograder.compare import (
    Axes,
    Mismatch,
    axes_of,
    check_form,
    check_gradients,
    check_unmodified,
    check_values,
)
from autograder.grading import phrases
from autograder.grading.check import Check
from autograder.grading.instances import Instance, is_class
from autograder.grading.references import References
from autograder.grading.run import CheckFailed, Run
from autograder.sandbox import Answer
from autograder.worker.calling import Came, performed
from autograder.worker.gradients import outputs_of


@dataclass(frozen=True)
class Call:
    """One call: of the student's function of this name, and of the reference's."""

    name: str
    reference: Callable[..., Any]
    arguments: tuple[object, ...]
    named: dict[str, object]
    how: wire.How = wire.PLAIN

    @property
    def axes(self) -> Axes:
        """The reference's."""
        return axes_of(self.reference)

    @property
    def by_name(self) -> dict[str, object]:
        """The arguments, an instance's weights too."""
        names = self.axes.names_of(len(self.arguments))
        own = dict(zip(names, self.arguments, strict=True))
        return {**own, **self.named, **self.how.weights}

    def expected(self) -> Came:
        """What the reference does with copies of the arguments."""
        positional, named, how = copy.deepcopy((self.arguments, self.named, self.how))
        return performed(self.reference, wire.Arguments(list(positional), named, how))


class Student:
    """`student.f(*args)`: the student's `f`, called in a confined worker.

    The value has the form of the reference's for the same arguments (structure, shape, dtype,
    finite), else the check fails; the values are not looked at. A class gives an `Instance`.
    """

    def __init__(self, run: Run, check: Check, references: References, device: str = "") -> None:
        self._run = run
        self._check = check
        self._references = references
        self._device = device  # where the student's code gets its tensors; "" for the CPU

    def __getattr__(self, name: str) -> Callable[..., Any]:
        if name.startswith("_"):
            raise AttributeError(name)
        reference = getattr(self._references, name)

        def call(*arguments: object, **named: object) -> Any:
            if is_class(reference):
                return self._constructed(Call(name, reference, (), {}), arguments)
            return self._asked(Call(name, reference, arguments, named))

        return call

    def _constructed(self, call: Call, construct: tuple[object, ...]) -> Any:
        """An instance, which is constructed anew in each call of it."""

        def ask(arguments: tuple[object, ...], named: dict[str, object], how: wire.How) -> Any:
            made = replace(call, arguments=arguments, named=named, how=how)
            return Student._asked(self, made) if how.way == "described" else self._asked(made)

        return Instance(call.reference, construct, ask)

    def _asked(self, call: Call) -> Any:
        """What the student's code gives, judged."""
        return self._judged(call, self._answer(call))

    def _answer(self, call: Call) -> Answer:
        """What the student's code gives. A generator among the arguments goes on from there."""
        how = replace(call.how, device=self._device) if self._device else call.how
        answer = self._run.call(self._check, call.name, call.arguments, call.named, how)
        given = [*call.arguments, *call.named.values()]
        for before, after in zip(given, answer.arguments or (), strict=False):
            if wire.is_generator(before):
                _go_on(before, after)
        return answer

    def _judged(self, call: Call, answer: Answer) -> Any:
        return self._value(call, answer, call.expected().value)

    def _value(self, call: Call, answer: Answer, expected: object) -> Any:
        hidden = self._check.hidden
        compare = check_form if call.how.way == "described" else self._compare
        require(compare(answer.value, expected, call.by_name, call.axes, hidden=hidden))
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

    def _judged(self, call: Call, answer: Answer) -> Any:
        value = super()._judged(call, answer)
        if answer.arguments is None:
            raise CheckFailed(phrases.TOO_LARGE)
        after = dict(zip(_names(call), answer.arguments, strict=True))
        require(check_unmodified(call.by_name, after, call.axes))
        return value


class Gradients(Compare):
    """`gradients.f(*args)`: as `compare.f`, and the gradients of the floating-point tensors among
    the arguments (and of an instance's weights) are the reference's, from an upstream gradient
    drawn for each call.

    They are computed where the code runs, the student's in the worker. So they are the worker's
    word, which comes on top of right values.

    Args:
        rng: draws the upstream gradients.
    """

    def __init__(
        self,
        run: Run,
        check: Check,
        references: References,
        device: str = "",
        *,
        rng: np.random.Generator,
    ) -> None:
        super().__init__(run, check, references, device)
        self._rng = rng

    def _asked(self, call: Call) -> Any:
        value = call.expected().value
        upstream = tuple(
            wire.like(one, self._rng.normal(size=tuple(one.shape))) for one in outputs_of(value)
        )
        if not upstream:
            raise TypeError(f"{call.name}: no floating-point tensor to hand back through")
        return super()._asked(replace(call, how=replace(call.how, upstream=upstream)))

    def _judged(self, call: Call, answer: Answer) -> Any:
        expected = call.expected()
        value = self._value(call, answer, expected.value)
        arguments, hidden = {name: call.by_name[name] for name in _names(call)}, self._check.hidden
        wrong = check_gradients(
            answer.gradients, expected.gradients, arguments, call.axes, hidden=hidden
        )
        require(wrong)
        return value


class Refuses(Student):
    """`refuses.f(*args)`: the student's `f` raises the exception that the reference raises; of a
    class, its constructor does."""

    def _constructed(self, call: Call, construct: tuple[object, ...]) -> Any:
        return self._asked(replace(call, how=wire.How(construct=construct, way="described")))

    def _asked(self, call: Call) -> None:
        try:
            call.expected()
        except Exception as error:
            wanted = type(error).__name__
        else:
            raise TypeError(f"{call.name}: the reference raises nothing for these arguments")
        before = len(self._run.observations)
        try:
            self._run.call(self._check, call.name, call.arguments, call.named, call.how)
        except CheckFailed:
            if len(self._run.observations) == before:
                raise  # it was not called at all
        got = self._run.observations[-1].raised
        if got != wanted:
            said = phrases.not_refused(call.name, got)
            raise CheckFailed(said, f"expected {wanted}, got {got or 'a value'}")


def _names(call: Call) -> list[str]:
    """Each argument's, in the order in which they are sent."""
    return [*call.axes.names_of(len(call.arguments)), *call.named, *call.how.weights]


def _go_on(generator: Any, state: object) -> None:
    """Let a generator go on from where a worker says that it left it; not at all if it can not."""
    try:
        generator.set_state(state)
    except (RuntimeError, TypeError):
        raise CheckFailed(phrases.NO_ANSWER, "no state of a generator") from None


def require(mismatch: Mismatch | None) -> None:
    """Fail the check, if anything is wrong."""
    if mismatch is not None:
        raise CheckFailed(mismatch.message, f"{mismatch.kind}: {mismatch.detail}")
