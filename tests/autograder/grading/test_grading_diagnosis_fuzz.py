"""Whatever a student's code gives or raises, held against the real references and known mistakes:
no exception, a bounded number of calls, and words without a size or a value."""

from __future__ import annotations

import re
import warnings
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from autograder import wire
from autograder.compare import (
    TOLERANCES,
    alike,
    axes_of,
    check_form,
    check_unmodified,
    check_values,
    excess,
)
from autograder.grading.check import Check
from autograder.grading.diagnosis import Cause, Observation, cause_of
from autograder.grading.local import LocalCode
from autograder.grading.mistakes import Mistake, load_mistakes
from autograder.grading.references import References
from autograder.manifest import find_course
from autograder.sandbox import Answer, StudentRaised

from ..fuzzing import carried, examples, texts

ASSIGNMENT = find_course(Path(__file__).parents[3]).assignment("self_attention")
REFERENCES = References(ASSIGNMENT)
BANK = load_mistakes(ASSIGNMENT)
_RNG = np.random.default_rng(0)
_X, _W, _V = (_RNG.normal(size=size) for size in ((2, 5, 4), (4, 3), (4, 6)))
_SCORES = _RNG.normal(size=(2, 5, 7))
ARGUMENTS: dict[str, tuple[Any, ...]] = {
    "project_qkv": (_X, _W, _W[::-1], _V),
    "attention_scores": (_RNG.normal(size=(2, 5, 3)), _RNG.normal(size=(2, 7, 3))),
    "scale_scores": (_SCORES, 3),
    "softmax": (_SCORES,),
    "attention_output": (_SCORES**2, _RNG.normal(size=(2, 7, 3))),
    "self_attention": (_X, _W, _W[::-1], _V),
}
CALLS = 4  # of each mistake at most, for each call of a student's code
functions = st.sampled_from(sorted(ARGUMENTS))


def check(name: str) -> Check:
    """A hidden check."""
    return Check("self_attention", "any", name, 1, "hidden", False, Path("test_any.py"))


def given_by(code: object, function: str) -> Any:
    """What code of ours gives for the arguments, over the wire; nothing where it raises."""
    try:
        return LocalCode(code).call("", function, ARGUMENTS[function], {}, wire.Deadline()).value
    except StudentRaised:
        return None


def sprinkled(number: float) -> Callable[[Any], Any]:
    """One entry is another."""
    return lambda one: np.where(np.arange(one.size).reshape(one.shape) == 3, number, one)


CHANGES: list[Callable[[Any], Any]] = [
    lambda one: one,
    lambda one: -one,
    lambda one: one * 3,
    lambda one: one / np.sqrt(3),
    lambda one: np.swapaxes(one, -1, -2),
    lambda one: one[..., ::-1, :],
    lambda one: one[..., :-1],
    lambda one: one[None],
    lambda one: one[:, :1],
    lambda one: one[:0],
    lambda one: one.astype(np.float16),
    lambda one: one.astype(np.int8),
    lambda one: one.astype(np.complex64),
    lambda one: one > 0,
    lambda one: one.tolist(),
    lambda one: one.sum(),
    *(sprinkled(number) for number in (np.nan, np.inf, -np.inf, 1e300, 1e-320)),
]


def changed(value: Any, change: Callable[[Any], Any]) -> Any:
    """A value with every array of it changed."""
    if isinstance(value, tuple | list):
        return type(value)(changed(one, change) for one in value)
    with np.errstate(all="ignore"):
        return change(value) if isinstance(value, np.ndarray) and value.ndim >= 2 else value


def by(mistake: Mistake) -> Any:
    """What a mistake gives, the reference being asked nothing."""
    return given_by(type("", (), {mistake.function: staticmethod(mistake.call)}), mistake.function)


RIGHT = {function: given_by(REFERENCES, function) for function in ARGUMENTS}
WRONG = {function: [by(one) for one in BANK if one.function == function] for function in ARGUMENTS}


def values_of(function: str) -> st.SearchStrategy[Any]:
    """Anything that the wire carries, and what is right or known to be wrong, a little changed."""
    known = st.sampled_from([*[RIGHT[function]] * 9, *WRONG[function]])
    near = st.builds(changed, known, st.sampled_from(CHANGES))
    return near | near | carried | st.lists(near, max_size=3).map(tuple)


VALUES = {function: values_of(function) for function in ARGUMENTS}
kinds = st.sampled_from(
    ["ValueError", "IndexError", "SystemExit", "too large to keep", "", "__doc__"]
)


@st.composite
def observations(draw: st.DrawFn, function: str, name: str, usual: object) -> Observation:
    """What came of one call: the usual value, or any with whatever became of the arguments, or an
    exception."""
    arguments = ARGUMENTS[function]
    after: list[object] | None = list(arguments)
    which = draw(st.sampled_from(["usual", "usual", "usual", "any", "raised"]))
    if which == "raised":
        return Observation(check(name), function, arguments, {}, None, draw(kinds | texts))
    if which == "any":
        usual = draw(VALUES[function])
        after = [*after[1:], draw(VALUES[function])] if draw(st.booleans()) else None
    return Observation(check(name), function, arguments, {}, Answer(usual, after, ""))


def counted(function: str) -> tuple[list[Mistake], Counter[str]]:
    """The known mistakes of a function, and how often each is called."""
    calls: Counter[str] = Counter()

    def counting(one: Mistake) -> Callable[..., Any]:
        def call(*arguments: Any, **named: Any) -> Any:
            calls[one.name] += 1
            return one.call(*arguments, **named)

        return call

    own = [one for one in BANK if one.function == function]
    return [replace(one, call=counting(one)) for one in own], calls


@dataclass
class Asker:
    """Asks a student's code again, which may do anything at all."""

    data: st.DataObject
    usual: object
    asked: int = 0

    def __call__(self, one: Observation) -> Observation | None:
        self.asked += 1
        if self.data.draw(st.integers(0, 4)) == 0:
            return None
        came = self.data.draw(observations(one.function, one.check.name, self.usual))
        return replace(came, arguments=one.arguments, named=one.named)


@examples(40)
@given(st.data())
def test_whatever_a_student_gives_is_held_against_every_known_mistake(data):
    """It is one of the mistakes or none, told by a bounded number of calls, without a warning."""
    function = data.draw(functions)
    usual = data.draw(st.sampled_from(WRONG[function]))
    names = data.draw(st.lists(st.sampled_from("abc"), min_size=1, max_size=3))
    seen = [data.draw(observations(function, name, usual)) for name in names]
    failed = frozenset(map(check, data.draw(st.sets(st.sampled_from("abcd"), min_size=1))))
    mistakes, calls = counted(function)
    ask = Asker(data, usual)

    with warnings.catch_warnings(record=True) as warned:
        warnings.simplefilter("always")
        cause = cause_of(mistakes, REFERENCES, seen, failed, ask)

    assert not warned
    assert ask.asked <= 2
    assert max(calls.values(), default=0) <= CALLS * (len(seen) + ask.asked)
    if cause is not None:
        assert cause.mistake in mistakes
        assert set() < cause.checks <= failed
        assert cause.told <= cause.checks
        assert_told(cause, seen)


def assert_told(cause: Cause, seen: list[Observation]) -> None:
    """Where values told the mistake, they are the mistake's."""
    given = by(cause.mistake)
    axes = axes_of(getattr(REFERENCES, cause.mistake.function))
    for one in seen:
        if one.check in cause.told and one.answer is not None and isinstance(given, np.ndarray):
            assert alike(one.answer.value, given, one.sent, axes)


@examples(150)
@given(st.data())
def test_no_value_makes_a_comparison_raise_warn_or_tell_a_size(data):
    """Beside the reference's, of every function: form, values, arguments, likeness and distance."""
    function = data.draw(functions)
    got, arguments = data.draw(VALUES[function]), ARGUMENTS[function]
    right, axes = RIGHT[function], axes_of(getattr(REFERENCES, function))

    with warnings.catch_warnings(record=True) as warned:
        warnings.simplefilter("always")
        verdicts = [
            check_form(got, right, arguments, axes, hidden=True),
            check_values(got, right, arguments, axes, hidden=True),
            check_unmodified(arguments, [got, *arguments][: len(arguments)], axes),
        ]
        same = alike(got, right, arguments, axes)
        nearly = alike(got, right, arguments, axes, any_width=True)
        off, dtype = excess(got, right, arguments, axes)

    assert not warned
    assert (verdicts[1] is None) == (off <= 1)
    assert dtype in {"", *TOLERANCES}
    assert nearly or not same
    for one in filter(None, verdicts):
        assert not re.search(r"\d", one.message.replace("sum to 1", ""))
        assert one.message.isprintable()
        assert one.detail.isascii()
