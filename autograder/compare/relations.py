"""What a wrong array has to do with the right one, when that can be seen; decides no points.

Each relation is a symptom and a question. They are tried in order, on arrays of one shape.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass

import numpy as np

from autograder.compare.mismatch import Array
from autograder.compare.tolerance import Closeness

_ROWS = 64  # more rows are not looked for in another order
_ENTRIES = 1 << 14
_ONE = 1e-3  # how near to 1 a row's sum is 1, in any dtype


@dataclass(frozen=True)
class Pair:
    """A wrong array beside the right one: same shape, float64, any number of axes.

    Args:
        wrong: where they differ, boolean, somewhere True.
        batch: how many leading axes are batch axes.
        truth: both hold True and False, as 1 and 0.
        sizes: the sizes that the arguments have, by name.
    """

    got: Array
    expected: Array
    wrong: Array
    batch: int
    truth: bool
    closeness: Closeness
    sizes: Mapping[str, int]


def relation(pair: Pair) -> tuple[str, str] | None:
    """The first relation that holds, as a short name and its words; None when none is seen."""
    if pair.got.size < 2:
        return None
    for name, words, holds in RELATIONS:
        if holds(pair):
            return name, words if isinstance(words, str) else words(pair)
    return None


def _transposed(pair: Pair) -> bool:
    if pair.got.ndim < 2:
        return False
    return pair.closeness.agree(pair.got, np.swapaxes(pair.expected, -1, -2))


def _inverted(pair: Pair) -> bool:
    return pair.truth and pair.closeness.agree(pair.got, 1 - pair.expected)


def _opposite(pair: Pair) -> bool:
    return not pair.truth and pair.closeness.agree(-pair.got, pair.expected)


def _sums(array: Array, axis: int) -> bool:
    """Whether everything along `axis` sums to 1, or is all zero (a query that sees no key)."""
    sums = array.sum(axis)
    return bool(((np.abs(sums - 1) < _ONE) | ~array.any(axis)).all()) and bool(array.any())


def _shares_rows(pair: Pair) -> bool:
    return not pair.truth and pair.expected.shape[-1] > 1 and _sums(pair.expected, -1)


def _columns_sum(pair: Pair) -> bool:
    if pair.got.ndim < 2 or not _shares_rows(pair):
        return False
    return _sums(pair.got, -2) and not _sums(pair.got, -1)


def _rows_do_not_sum(pair: Pair) -> bool:
    return _shares_rows(pair) and not _sums(pair.got, -1)


def common_factor(pair: Pair) -> float | None:
    """The one number that `got` is `expected` times, if there is one; never 0."""
    finite = np.isfinite(pair.expected) & np.isfinite(pair.got)
    got, expected = (array[finite] / pair.closeness.largest for array in (pair.got, pair.expected))
    if np.count_nonzero(expected) < 2 or pair.truth:
        return None
    factor = float((got * expected).sum() / (expected * expected).sum())
    if not np.isfinite(factor) or abs(factor) < 1e-12:
        return None
    return factor if pair.closeness.agree(pair.got / factor, pair.expected) else None


def _factor_words(pair: Pair) -> str:
    """What the one common factor is in a formula, where one form alone fits."""
    factor = common_factor(pair) or math.nan
    near = pair.closeness.tolerance.relative
    fitting = [words for value, words in _forms(pair.sizes) if abs(factor / value - 1) <= near]
    if len(fitting) != 1:
        return (
            "All your values are off by one common factor. "
            "Which factor belongs there, and how often?"
        )
    return f"All your values are {fitting[0]}. Which line brings that factor in, or leaves it out?"


def _forms(sizes: Mapping[str, int]) -> Iterator[tuple[float, str]]:
    """Factors that a formula may have, in words that hold no size."""
    yield 2.0, "twice the expected ones"
    yield 0.5, "half the expected ones"
    for name, size in sizes.items():
        if size > 1:
            yield math.sqrt(size), f"the expected ones times the root of {name}"
            yield 1 / math.sqrt(size), f"the expected ones divided by the root of {name}"
            yield float(size), f"the expected ones times {name}"
            yield 1 / size, f"the expected ones divided by {name}"


def _reordered(pair: Pair, axis: int) -> bool:
    """Whether the slices along `axis` are the right ones in another order."""
    if pair.got.ndim < -axis or pair.got.size > _ENTRIES or not 1 < pair.got.shape[axis] <= _ROWS:
        return False
    count = pair.got.shape[axis]
    got = np.moveaxis(pair.got, axis, 0).reshape(count, -1)  # (rows, entries)
    expected = np.moveaxis(pair.expected, axis, 0).reshape(count, -1)
    same = np.array(
        [~pair.closeness.wrong(np.tile(row, (count, 1)), expected).any(axis=1) for row in got]
    )  # (rows of got, rows of expected)
    return bool(same.any(axis=0).all() and same.any(axis=1).all())


def _wrong_along(pair: Pair, axis: int) -> Array:
    """For each place along `axis`, whether anything there is wrong: (size of axis,), boolean."""
    slices = np.moveaxis(pair.wrong, axis, 0).reshape(pair.wrong.shape[axis], -1)
    return np.asarray(slices.any(axis=1))


def _only_first_of_batch(pair: Pair) -> bool:
    if not pair.batch or pair.got.shape[0] < 2:
        return False
    wrong = _wrong_along(pair, 0)
    return bool(not wrong[0] and wrong[1:].all())


def _only_row(pair: Pair, right: int) -> bool:
    if pair.got.ndim - pair.batch < 2 or pair.got.shape[-2] < 3:
        return False
    wrong = _wrong_along(pair, -2)
    return bool(not wrong[right] and wrong.sum() == len(wrong) - 1)


FACTOR = "common factor"
RELATIONS: tuple[tuple[str, str | Callable[[Pair], str], Callable[[Pair], bool]], ...] = (
    (
        "transposed",
        (
            "Yours is the transpose of what is expected: rows and columns are exchanged. "
            "Which argument should the rows come from?"
        ),
        _transposed,
    ),
    (
        "inverted",
        "True and False are exchanged in yours. What does True stand for?",
        _inverted,
    ),
    (
        "opposite sign",
        "All your values have the opposite sign. Which line turns the sign?",
        _opposite,
    ),
    (
        "columns sum to 1",
        "Your columns sum to 1, your rows do not. Among what is one row shared out?",
        _columns_sum,
    ),
    (
        "rows do not sum to 1",
        "Your rows do not sum to 1. What is each of them divided by, and what happens after that?",
        _rows_do_not_sum,
    ),
    (FACTOR, _factor_words, lambda pair: common_factor(pair) is not None),
    (
        "rows in another order",
        "Your rows are the right ones in another order. What does the first row belong to?",
        lambda pair: _reordered(pair, -2),
    ),
    (
        "columns in another order",
        (
            "Your values are the right ones, but along the last axis they stand in another order. "
            "What does the first one belong to?"
        ),
        lambda pair: _reordered(pair, -1),
    ),
    (
        "only the first of the batch",
        (
            "Only the first element of the batch is right. "
            "Along which axes does your code work when there are batch axes before them?"
        ),
        _only_first_of_batch,
    ),
    (
        "only the last row",
        "Only your last row is right. What is different for the rows before it?",
        lambda pair: _only_row(pair, -1),
    ),
    (
        "only the first row",
        "Only your first row is right. What is different for the rows after it?",
        lambda pair: _only_row(pair, 0),
    ),
)
