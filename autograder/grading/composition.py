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
from autograder.grading.observation import TOO_LARGE, Observation, Observations
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
    usual = References(assignment)
    tried = [one for one in observations if one.check in passed]
    if any(one.raised == TOO_LARGE for one in tried):
        return False  # what cannot be looked at may be what tells
    tried = [one for one in tried if one.answer is not None]
    followed = []
    for name in [name for origin in origins for name in origin.functions]:
        for other, one in _telling(assignment, name, tried, usual):
            seen = ask(served_steps(other, assignment.manifest.builds_on(question)), one)
            if seen is None or seen.answer is None:
                return False
            follows = _agree(seen.answer.value, one, other)
            if not follows and not _agree(seen.answer.value, one, usual):
                return False
            followed.append(follows)
    return any(followed) or not followed


def _telling(
    assignment: Assignment, name: str, tried: Sequence[Observation], usual: References
) -> Iterator[tuple[References, Observation]]:
    """The references with one step altered, and a call that tells them from the usual ones; at
    most one of each."""
    for change in CHANGES:
        other = References(assignment, {name: altered(getattr(usual, name), change)})
        for one in tried:
            if _can_tell(one, other, usual):
                yield other, one
                return


def _can_tell(one: Observation, other: References, usual: References) -> bool:
    given = called(LocalCode(other), one)
    if isinstance(given, str):  # a later step need not take what an altered one gives
        return False
    return not _agree(given.value, one, usual)


def _agree(value: object, one: Observation, references: References) -> bool:
    """Whether a value is right for the arguments of an observation."""
    axes = axes_of(getattr(references, one.function))
    right = called(LocalCode(references), one)
    if isinstance(right, str):
        return False
    arguments = one.by_name(axes.parameters)
    return check_values(value, right.value, arguments, axes, hidden=True) is None
