"""Known answers that cannot be called as the reference is: what they raise would prove nothing."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Any

from autograder.grading.mistakes import Variant
from autograder.grading.references import References
from autograder.handout import Problem


def other_arguments(answers: Iterable[Variant], references: References) -> Iterator[Problem]:
    """Mistakes and variants that do not take the arguments of the function they stand for."""
    for answer in answers:
        reference = getattr(references, answer.function)
        if not _takes_those_of(answer.call, reference):
            what = (
                f"{answer.name!r} takes {inspect.signature(answer.call)}, and the reference "
                f"{answer.function}{inspect.signature(reference)}"
            )
            yield Problem(answer.where, what, "give it the reference's arguments.")


def _takes_those_of(call: Callable[..., Any], reference: Callable[..., Any]) -> bool:
    """Whether it can be called with all that the reference names, and with what that demands."""
    try:
        taken = inspect.signature(call)
        named = list(inspect.signature(reference).parameters.values())
    except ValueError:  # one of Python's own, which do not all say
        return True
    demanded = [one for one in named if one.default is one.empty]
    return _binds(taken, named) and _binds(taken, demanded)


def _binds(taken: inspect.Signature, parameters: Sequence[inspect.Parameter]) -> bool:
    by_name = [one.name for one in parameters if one.kind is one.KEYWORD_ONLY]
    by_place = [
        one.name
        for one in parameters
        if one.kind in (one.POSITIONAL_ONLY, one.POSITIONAL_OR_KEYWORD)
    ]
    try:
        taken.bind(*by_place, **dict.fromkeys(by_name))
    except TypeError:
        return False
    return True
