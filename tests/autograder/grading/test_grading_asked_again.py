"""Asking again on equal sizes: what names a mistake that only raises elsewhere, and what not."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field, replace
from pathlib import Path
from types import SimpleNamespace

import numpy as np
import pytest

from autograder import wire
from autograder.compare import axes_of
from autograder.grading.check import Check
from autograder.grading.diagnosis import Cause, cause_of
from autograder.grading.local import LocalCode, LocalSandbox, staged_as
from autograder.grading.mistakes import Mistake, load_mistakes
from autograder.grading.observation import Observation
from autograder.manifest import find_course
from autograder.results import Outcome
from autograder.sandbox import StudentRaised
from autograder.session import with_graders

from .answers_that_raise import ANSWERS

ASSIGNMENT = find_course(Path(__file__).parents[3]).assignment("self_attention")
KNOWN = [name for name, one in ANSWERS.items() if one.kind]
UNKNOWN = [name for name, one in ANSWERS.items() if not one.kind]


@dataclass
class Asker:
    """Calls an answer as a fresh worker would, and counts."""

    call: Callable[..., object]
    asked: list[Observation] = field(default_factory=list)

    def __call__(self, one):
        self.asked.append(observed(one.check, one.function, self.call, *one.arguments, **one.named))
        return self.asked[-1]


def observed(check, name, call, *arguments, **named):
    """What came of calling it."""
    code = LocalCode(SimpleNamespace(**{name: call}))
    try:
        answer = code.call("", name, arguments, named, wire.Deadline())
    except StudentRaised as error:
        return Observation(check, name, arguments, named, None, error.kind)
    return Observation(check, name, arguments, named, answer)


@dataclass(frozen=True)
class Diagnosed:
    """The kinds named for one answer, by those checks alone in which sizes differ."""

    unasked: str
    asked: str
    times: int


@pytest.fixture(scope="module")
def seen() -> dict[str, Diagnosed]:
    """Every answer, graded by the hidden graders and held against the known mistakes."""
    bank = load_mistakes(ASSIGNMENT)

    def diagnose(graders):
        return {name: diagnosed(one, graders, bank) for name, one in ANSWERS.items()}

    return with_graders(ASSIGNMENT, diagnose)


def diagnosed(one, graders, bank):
    sandbox = LocalSandbox(ASSIGNMENT, {one.function: one.call})
    verdict = graders.only({one.question}).run(staged_as("a student", ASSIGNMENT), sandbox, 0)
    axes = axes_of(getattr(graders.references, one.function))
    own = [call for call in verdict.observations if call.function == one.function]
    equal = {call.check for call in own if has_equal_sizes(call, axes)}
    failed = {case.check for case in verdict.cases if case.outcome is Outcome.FAILED} - equal
    ask = Asker(one.call)
    arguments = (
        [mistake for mistake in bank if mistake.question == one.question],
        graders.references,
        [call for call in own if call.check not in equal],
        frozenset(failed),
    )
    return Diagnosed(kind(cause_of(*arguments)), kind(cause_of(*arguments, ask)), len(ask.asked))


def has_equal_sizes(call, axes):
    return len({*axes.sizes(call.by_name(axes.parameters)).values()}) < 2


def kind(cause: Cause | None) -> str:
    return "" if cause is None else cause.mistake.kind


@pytest.mark.parametrize("name", KNOWN)
def test_what_raises_on_unequal_sizes_is_known_by_what_it_does_on_equal_ones(seen, name):
    """Whatever it raises there, and whatever the known mistake raises."""
    assert seen[name].asked == ANSWERS[name].kind


def test_asking_names_most_of_what_would_stay_unnamed_or_be_taken_for_another(seen):
    """Exceptions alone name less than half of these rightly."""
    unasked = [seen[name].unasked == ANSWERS[name].kind for name in KNOWN]

    assert len(KNOWN) >= 8
    assert sum(unasked) < len(KNOWN) / 2
    assert any(one.unasked and one.unasked != one.asked for one in seen.values())


@pytest.mark.parametrize("name", UNKNOWN)
def test_a_fault_like_no_known_mistake_is_not_named(seen, name):
    """A misspelled name raises on equal sizes too, and other values are another mistake's."""
    assert seen[name].asked == ""


def test_nobody_is_asked_more_than_twice(seen):
    """It costs a worker each time."""
    assert {one.times for one in seen.values()} == {0, 1, 2}


def scores(q, k):
    """All dot products.

    Args:
        q: (..., n_q, d), one query a row.
        k: (..., n_k, d), one key a row.

    Returns:
        (..., n_q, n_k), row = query, column = key.
    """
    return q @ np.swapaxes(k, -1, -2)


def as_columns(q, k):
    return q @ k


def turned(q, k):
    return k @ np.swapaxes(q, -1, -2)


def with_every_axis_turned(q, k):
    return q @ k.T


def differ(q, k):
    return q.shape != k.shape


def has_batch(q, k):
    return q.ndim > 2


def raises(error, condition=differ, otherwise=scores):
    """Raises where the condition holds."""

    def call(q, k):
        if condition(q, k):
            raise error
        return otherwise(q, k)

    return call


def known(*calls: Callable[..., object], kinds: str = "") -> list[Mistake]:
    """These as known mistakes, the most fundamental first, each of a kind of its own."""
    words = {"question": "scores", "function": "scores", "symptom": "Why?", "answer": "Mend it."}
    kinds = kinds or "".join(map(str, range(len(calls))))
    return [
        Mistake(name=str(place), call=call, kind=kind, place=place, **words)
        for place, (kind, call) in enumerate(zip(kinds, calls, strict=True))
    ]


def check(name: str) -> Check:
    """A hidden check."""
    return Check("demo", "scores", name, 1, "hidden", False, Path("test_scores.py"))


SHORT, LONG, EQUAL = ((2, 3), (4, 3)), ((5, 3), (4, 3)), ((3, 3), (3, 3))
ONE, MORE = ((2, 4, 3), (2, 4, 3)), ((2, 2, 4, 3), (2, 2, 4, 3))


def named(student, mistakes, failed, passed=(), ask=None):
    """The kind of the cause and the number of checks that it explains; each call is a check of its
    own, given by the shapes of q and k."""
    rng = np.random.default_rng(3)
    seen = [
        observed(check(str(place)), "scores", student, *map(rng.standard_normal, shapes))
        for place, shapes in enumerate([*failed, *passed])
    ]
    checks = frozenset(one.check for one in seen[: len(failed)])
    references = SimpleNamespace(scores=scores)
    cause = cause_of(mistakes, references, seen, checks, ask or Asker(student))
    return cause and (cause.mistake.kind, len(cause.checks))


def test_on_equal_sizes_the_same_wrong_value_is_the_cause():
    """Of several the one that explains more, then the more fundamental one; whatever they raise."""
    student = raises(KeyError(), otherwise=as_columns)
    as_well = raises(TypeError(), otherwise=as_columns)

    assert named(student, known(turned, as_columns, as_well), [SHORT, LONG]) == ("1", 2)
    assert named(student, known(turned), [SHORT, LONG]) is None


def test_the_cause_fails_where_the_students_code_did_and_nowhere_else():
    """What is right there, or comes to no value in a check that passed, is another mistake."""

    def right_unless_equal(q, k):
        return scores(q, k) if differ(q, k) else as_columns(q, k)

    student = raises(KeyError(), lambda q, k: q.shape < k.shape, right_unless_equal)

    assert named(student, known(as_columns), [SHORT]) == ("0", 1)
    assert named(student, known(right_unless_equal), [SHORT]) is None
    assert named(student, known(as_columns), [SHORT], passed=[LONG]) is None


def test_code_that_is_right_on_equal_sizes_is_known_by_where_it_fails():
    """On the very same inputs, in every check, and as all mistakes of one kind alone."""
    student = raises(KeyError())
    other, shorter = raises(TypeError()), raises(ValueError(), lambda q, k: q.shape < k.shape)

    assert named(student, known(other, shorter), [SHORT, LONG]) == ("0", 2)
    assert named(student, known(shorter), [SHORT, LONG]) is None
    assert named(student, known(other, shorter), [SHORT]) is None
    assert named(student, known(other, shorter, kinds="aa"), [SHORT]) == ("a", 1)


def test_what_fails_in_batches_alone_is_asked_with_batch_axes_and_without():
    """Where it raises again with them, the mistake has to do so too."""
    student, ask = raises(KeyError(), has_batch), Asker(raises(KeyError(), has_batch))
    bank = known(with_every_axis_turned, raises(TypeError(), has_batch))

    assert named(student, bank, [ONE, MORE], passed=[SHORT], ask=ask) == ("1", 2)
    assert [[x.ndim for x in one.arguments] for one in ask.asked] == [[3, 3], [2, 2]]
    again = raises(
        KeyError(), lambda q, k: has_batch(q, k) and differ(q, k), with_every_axis_turned
    )
    assert named(again, bank, [((2, 3, 3), (2, 4, 3))]) == ("0", 1)


def test_another_wrong_value_of_the_same_shape_is_another_mistake():
    """With all sizes equal, a shape alone says nothing."""

    def all_pairs(q, k):
        return np.tensordot(q, k, axes=(-1, -1))

    student = raises(KeyError(), otherwise=lambda q, k: 2 * all_pairs(q, k))

    assert named(student, known(all_pairs), [((2, 2, 3), (2, 4, 3))]) is None


def test_an_exception_that_both_raise_counts_less_than_a_wrong_value():
    """And it does not count where only one of them raises it on equal sizes too."""
    always, unequal = raises(ValueError(), lambda q, k: True), raises(ValueError())
    wrong_if_equal = raises(ValueError(), otherwise=turned)

    assert named(always, known(unequal), [SHORT]) is None
    assert named(always, known(unequal, always), [SHORT, LONG]) == ("1", 2)
    assert named(wrong_if_equal, known(unequal, wrong_if_equal), [SHORT, EQUAL]) == ("1", 2)


def test_where_nothing_comes_of_asking_exceptions_decide():
    """No time may be left, or the worker may die."""
    student = raises(ValueError(), lambda q, k: True)
    bank = known(raises(ValueError()))

    def dies(one):
        return replace(one, answer=None, raised="died")

    assert named(student, bank, [SHORT], ask=lambda *call: None) == ("0", 1)
    assert named(student, bank, [SHORT], ask=dies) == ("0", 1)


@pytest.mark.parametrize("ending", ["time", "died", "reply", "NotImplementedError", "SystemExit"])
def test_what_ended_otherwise_than_by_an_exception_is_not_asked_again(ending):
    """Nor what is not written yet."""
    arguments = tuple(map(np.ones, SHORT))
    seen = [Observation(check("a"), "scores", arguments, {}, None, ending)]
    ask = Asker(as_columns)

    cause = cause_of(
        known(as_columns), SimpleNamespace(scores=scores), seen, frozenset({check("a")}), ask
    )

    assert cause is None
    assert ask.asked == []


def test_a_wrong_value_that_is_known_is_not_asked_again_and_explains_exceptions():
    """It is the cause of the checks too in which neither comes to a value."""
    ask = Asker(as_columns)
    student = raises(KeyError(), otherwise=as_columns)

    assert named(student, known(as_columns), [EQUAL, SHORT, LONG], ask=ask) == ("0", 3)
    assert ask.asked == []


def test_a_wrong_value_that_is_known_explains_another_width_where_it_is_wrong_too():
    """Not a right value that is too narrow: that has another cause."""

    def wide(q, k):
        return 3 * scores(q.astype(float), k.astype(float))

    def narrow(q, k):
        return wide(q, k) if q.shape[-1] == 3 else scores(q, k).astype(np.float32)

    def thrice_of_three(q, k):
        return 3 * scores(q, k) if q.shape[-1] == 3 else scores(q, k)

    single = [[np.ones(shape, np.float32) for shape in SHORT], list(map(np.ones, SHORT))]
    two_wide = [[np.ones((2, 2)), np.ones((4, 2))], list(map(np.ones, SHORT))]

    assert explained(wide, thrice_of_three, single) == {"0", "1"}
    assert explained(narrow, thrice_of_three, two_wide) == {"1"}


def explained(student, mistake, calls) -> set[str]:
    """The checks that a mistake explains, each a call with these arguments."""
    seen = [
        observed(check(str(place)), "scores", student, *arguments)
        for place, arguments in enumerate(calls)
    ]
    failed = frozenset(one.check for one in seen)
    cause = cause_of(known(mistake), SimpleNamespace(scores=scores), seen, failed)
    return set() if cause is None else {one.name for one in cause.checks}
