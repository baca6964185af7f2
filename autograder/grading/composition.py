"""Whether a step is composed of the steps before it, judged by values: when one of these is
altered, what the step gives follows."""

from __future__ import annotations

import functools
import inspect
from collections.abc import Callable, Collection, Iterator, Sequence
from typing import Any

import numpy as np

from autograder.compare import axes_of, check_values
from autograder.grading.behaviour import called
from autograder.grading.check import Check
from autograder.grading.local import LocalCode
from autograder.grading.observation import TOO_LARGE, Did, Observation, Observations
from autograder.grading.references import References
from autograder.manifest import Assignment, Question
from autograder.sandbox import Served
from autograder.wire import is_tensor, like, to_numpy

Ask = Callable[[Served, Observation], Observation | None]


def served_steps(references: References, questions: Sequence[Question]) -> Served:
    """The references' functions of these questions, by module."""
    return {
        question.module: {name: getattr(references, name) for name in question.functions}
        for question in questions
    }


def _reversed(array: np.ndarray) -> np.ndarray:
    return array[..., ::-1]


def _first_repeated(array: np.ndarray) -> np.ndarray:
    return np.broadcast_to(array[..., :1], array.shape)


CHANGES = (_reversed, _first_repeated)  # of columns
GIVES_VALUES = ("called", "measured")


def altered(
    step: Callable[..., Any], change: Callable[[np.ndarray], np.ndarray]
) -> Callable[..., Any]:
    """The same step for other numbers: the first argument that has several columns is changed.

    So what it gives is still a possible value of the step's, such as weights that sum to 1, and
    it is the same whether a caller hands over all rows at once or one by one.
    """
    if inspect.isclass(step):
        return _altered_class(step, change)
    signature = inspect.signature(step)

    @functools.wraps(step)
    def changed(*arguments: object, **named: object) -> Any:
        bound = signature.bind(*arguments, **named)
        for name, value in bound.arguments.items():
            array = to_numpy(value) if is_tensor(value) else np.asarray(value)
            if array.ndim and array.shape[-1] > 1:
                other = change(array)
                bound.arguments[name] = like(value, other) if is_tensor(value) else other
                break
        return step(*bound.args, **bound.kwargs)

    return changed


def _altered_class(step: Any, change: Callable[[np.ndarray], np.ndarray]) -> Callable[..., Any]:
    class Altered(step):  # type: ignore[misc]
        def forward(self, *arguments: object, **named: object) -> Any:
            forward = altered(super().forward, change)
            return forward(*arguments, **named)

    Altered.__name__, Altered.__doc__ = step.__name__, step.__doc__
    Altered.forward.__doc__ = step.forward.__doc__
    return Altered


def is_composed(
    assignment: Assignment,
    question: Question,
    origins: Sequence[Question],
    observations: Observations,
    passed: Collection[Check],
    ask: Ask,
) -> bool:
    """Whether what a question's functions give follows the earlier steps that are served to them.

    Each function of `origins` is altered by itself. The answer is then the one that belongs to
    the altered step; or the usual one, where the student does that step in place. At least one
    step has to be followed, if any can be altered so that it shows.

    Args:
        origins: the earlier questions in whose place the references' functions were served.
        observations: of calls with these served.
        passed: the checks that passed with them.
        ask: calls the student's function once more, on an observation's arguments, with these
            steps served.
    """
    usual = _Right(References(assignment))
    tried = [one for one in observations if one.check in passed]
    if any(one.raised == TOO_LARGE for one in tried):
        return False  # what cannot be looked at may be what tells
    # On another device an altered step's numbers are elsewhere, whoever calls it.
    answered = [one for one in tried if one.answer is not None and one.how.way in GIVES_VALUES]
    tried = sorted(answered, key=lambda one: one.size)  # a small call tells as much as a large one
    followed = []
    for name in [name for origin in origins for name in origin.functions]:
        for other, one in _telling(assignment, name, tried, usual):
            served = served_steps(other.references, assignment.manifest.builds_on(question))
            seen = ask(served, one)
            if seen is None or seen.answer is None:
                return False
            follows = other.has(seen.answer.value, one)
            if not follows and not usual.has(seen.answer.value, one):
                return False
            followed.append(follows)
    return any(followed) or not followed


def _telling(
    assignment: Assignment, name: str, tried: Sequence[Observation], usual: _Right
) -> Iterator[tuple[_Right, Observation]]:
    """The references with one step altered, and a call that tells them from the usual ones; at
    most one of each."""
    for change in CHANGES:
        step = altered(getattr(usual.references, name), change)
        other = _Right(References(assignment, {name: step}))
        for one in tried:
            given = other.given(one)  # a later step need not take what an altered one gives
            if not isinstance(given, str) and not usual.has(given.value, one):
                yield other, one
                return


class _Right:
    """What references, perhaps with one step altered, give for calls of a student's; each of them
    is made once."""

    def __init__(self, references: References) -> None:
        self.references = references
        self._given: dict[int, Did] = {}  # by the observation's identity

    def given(self, one: Observation) -> Did:
        """What they give for the arguments of an observation."""
        if id(one) not in self._given:
            self._given[id(one)] = called(LocalCode(self.references), one)
        return self._given[id(one)]

    def has(self, value: object, one: Observation) -> bool:
        """Whether a value is right for the arguments of an observation."""
        right = self.given(one)
        if isinstance(right, str):
            return False
        axes = axes_of(getattr(self.references, one.function))
        arguments = one.by_name(axes.parameters)
        return check_values(value, right.value, arguments, axes, hidden=True) is None
