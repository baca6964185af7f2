"""Step 4: each row of scores becomes weights that sum to 1, for logits of any size."""

import numpy as np
import pytest

from autograder.grading import question, weight

pytestmark = question("softmax")


@pytest.mark.parametrize("shape", [(5, 7), (7, 2), (4, 4), (1, 3), (3, 1), (40, 60)])
def test_each_query_weighs_its_own_keys(compare, rng, shape):
    """Another axis, or sums that lost theirs, show in the values even where the shape is right."""
    compare.softmax(rng.normal(size=shape))


@pytest.mark.parametrize("shape", [(5, 7), (4, 4)])
def test_each_row_sums_to_one(student, rng, shape):
    """Weights are positive, and over the keys they sum to 1."""
    weights = np.asarray(student.softmax(3 * rng.normal(size=shape)))

    assert np.all(weights > 0), (
        "Some weights are negative or zero, though every score is finite and small. "
        "Which function is positive for every number?"
    )
    assert np.allclose(weights.sum(axis=-1), 1, rtol=0, atol=1e-9), (
        "The weights of one query do not sum to 1 over its keys. Over which axis do yours?"
    )


def test_differences_of_scores_are_ratios_of_weights(student, rng):
    """log(a_i / a_j) is s_i - s_j: one exponential, of the score itself, not upside down."""
    scores = rng.uniform(-3, 3, size=(4, 6))

    weights = np.asarray(student.softmax(scores))

    assert np.all(weights > 0), (
        "Some weights are negative or zero, though every score is finite and small. "
        "Which function is positive for every number?"
    )
    logs = np.log(weights)
    assert np.allclose(logs - logs[:, :1], scores - scores[:, :1]), (
        "Within a row, the logarithm of a ratio of two weights is not the difference of the two "
        "scores. Is each score exponentiated exactly once, with its own sign?"
    )


def test_a_constant_added_to_a_row_changes_nothing(compare, student, rng):
    """Only differences within a row matter, and each row may have a constant of its own."""
    scores = rng.normal(size=(5, 4))
    constants = rng.uniform(-9, 9, size=(5, 1))

    weights, shifted = compare.softmax(scores), student.softmax(scores + constants)

    assert np.allclose(weights, shifted), (
        "Adding a constant to a whole row of scores changed its weights. "
        "What becomes of exp(s + c) in numerator and denominator?"
    )


@weight(2)
@pytest.mark.parametrize("shape", [(1, 4, 5), (3, 4, 5), (2, 3, 4, 5), (3, 3, 3), (2, 2, 2, 2)])
def test_any_number_of_batch_axes(compare, rng, shape):
    """The keys are the last axis, wherever that stands when counted from the front."""
    compare.softmax(rng.normal(size=shape))


@pytest.mark.parametrize("shift", [0, -2000, 2000])
def test_logits_of_any_size(compare, rng, shift):
    """Scores times a thousand, or all of them far from zero, neither overflow nor vanish."""
    size = 1 if shift else 1000
    compare.softmax(size * rng.normal(size=(5, 6)) + shift)


@weight(2)
@pytest.mark.parametrize("low", [np.s_[1], np.s_[:, 2], np.s_[0, 1]])
def test_rows_of_very_different_size(compare, rng, low):
    """Rows far below the others still share out one unit each: every row has its own scale."""
    scores = rng.normal(size=(2, 3, 5)) + 1000
    scores[low] -= 2000

    compare.softmax(scores)


def test_large_scores_on_the_diagonal(compare, rng):
    """A diagonal of 0, 1000, 2000, 3000: no row can borrow another row's scale."""
    compare.softmax(np.diag(1000.0 * np.arange(4)) + rng.normal(size=(4, 4)))


@pytest.mark.parametrize("shift", [0, -20000])
def test_a_score_of_minus_infinity_gets_no_weight(compare, student, rng, shift):
    """-inf gets weight 0 exactly, and the other keys share as if that key were not there."""
    scores = rng.normal(size=(4, 6)) + shift
    hidden = np.sort(rng.permutation(6)[:2])
    seen = np.delete(scores, hidden, axis=-1)
    scores[:, hidden] = -np.inf

    weights = np.asarray(student.softmax(scores))

    assert np.all(weights[:, hidden] == 0), (
        "A key whose score is -inf still gets weight. What is exp(-inf)?"
    )
    assert np.allclose(np.delete(weights, hidden, axis=-1), compare.softmax(seen)), (
        "Beside scores of -inf, the other keys do not share the weight as they would alone. "
        "What does a score of -inf add to the denominator?"
    )


def test_whole_numbers_are_scores_too(compare, rng):
    """Integer scores give fractions, not zeros and ones."""
    compare.softmax(rng.integers(-3, 4, size=(4, 5)))


@pytest.mark.parametrize("step", [1, 300])
def test_single_precision_overflows_early(compare, rng, step):
    """exp overflows above 89 in float32: far larger scores give all weight to the largest."""
    places = rng.permuted(np.tile(np.arange(5), (4, 1)), axis=-1)

    compare.softmax((step * places).astype(np.float32))


def test_arguments_are_left_as_they_were(unmodified, rng):
    """Whoever calls the function still finds the same numbers in its arguments."""
    unmodified.softmax(rng.normal(size=(5, 7)))
