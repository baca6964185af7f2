"""Step 5: wide keys spread the scores, and a spread-out softmax has no gradient left."""

import math

import numpy as np
import pytest
import torch

from autograder.grading import question, weight

pytestmark = question("scaling")
PAIRS = 20_000
ERRORS = 7  # standard errors: no right answer is ever farther off


def generator_of(rng):
    """A generator with a seed of its own."""
    return torch.Generator().manual_seed(int(rng.integers(1 << 40)))


def standard_error(d_k, num_pairs):
    """Of the variance of num_pairs scores, as a part of it: a score has kurtosis 3 + 6 / d_k."""
    return math.sqrt((2 + 6 / d_k) / num_pairs)


@weight(3)
@pytest.mark.parametrize("d_k", [2, 7, 16, 50])
def test_variance_grows_with_the_width_unless_scaled(student, rng, d_k):
    """Var(q · k) is d_k, and 1 when scores are divided by the root of d_k."""
    raw, scaled = student.score_variance(d_k, PAIRS, generator_of(rng))

    off = ERRORS * standard_error(d_k, PAIRS)
    assert abs(raw - d_k) < off * d_k, (
        "The variance of your scores is not what a sum of so many products has. "
        "What is drawn, how are query and key combined, and is it a variance that you return?"
    )
    assert abs(scaled - 1) < off, (
        "The variance of your scaled scores is not 1. By what are the scores divided, "
        "and what becomes of a variance when each number is divided by c?"
    )
    assert raw != d_k, (
        "Your variance is exactly what theory says, as that of random numbers never is. "
        "What do you draw, and what do you measure?"
    )


def test_a_variance_is_measured_not_recited(student, rng):
    """Two draws differ, and few pairs scatter far more than many."""
    generator = generator_of(rng)

    few, many = (
        np.array([student.score_variance(8, pairs, generator) for _ in range(25)])
        for pairs in (10, 1000)
    )

    assert np.all(few.std(axis=0) > 0), (
        "Every draw gives the same variance. Where do your random numbers come from?"
    )
    assert np.all(few.std(axis=0) > 3 * many.std(axis=0)), (
        "A hundred times as many pairs do not give a steadier variance. "
        "How many scores is it measured on?"
    )


def test_every_number_comes_from_the_generator(student, rng):
    """Equal generators give equal numbers, and one generator goes on from call to call."""
    seed = int(rng.integers(1 << 40))
    one, other = (torch.Generator().manual_seed(seed) for _ in range(2))

    first, again = student.score_variance(5, 50, one), student.score_variance(5, 50, other)
    second = student.score_variance(5, 50, one)

    assert np.allclose(first, again), (
        "Two generators in the same state give different variances. "
        "Which of your numbers come from somewhere else?"
    )
    assert not np.allclose(first, second), (
        "A generator that has been used gives the same numbers once more. "
        "Does it go on where it was, or is it wound back or not used?"
    )


@weight(2)
@pytest.mark.parametrize("n", [1, 2, 5, 9])
def test_every_weight_by_every_score(compare, rng, n):
    """A score moves its own weight up and all others down, by a_i (δ_ij − a_j)."""
    compare.softmax_gradient(torch.from_numpy(rng.normal(size=n)))


def test_a_constant_added_to_all_scores_moves_no_weight(student, rng):
    """Each row sums to zero, and so does each column: weight is shared out, never made."""
    found = student.softmax_gradient(torch.from_numpy(2 * rng.normal(size=6)))

    for axis in (0, 1):
        sums = found.sum(dim=axis)
        assert torch.all(sums.abs() < 1e-9), (
            "The weights always sum to one, so what one gains the others lose: along each axis "
            "the derivatives sum to zero, and yours do not. What happens off the diagonal?"
        )
    assert torch.all(found.diagonal() > 0), (
        "A score that rises lifts its own weight, but yours does not. What is on the diagonal?"
    )


@pytest.mark.parametrize(("factor", "shift"), [(1, 2000), (1, -2000), (1000, 0)])
def test_scores_of_any_size(compare, rng, factor, shift):
    """Far from zero nothing overflows; far apart, the softmax is saturated and nothing is left."""
    compare.softmax_gradient(torch.from_numpy(factor * rng.normal(size=5) + shift))


@pytest.mark.parametrize("dtype", [torch.float32, torch.bfloat16])
def test_the_dtype_is_that_of_the_scores(compare, rng, dtype):
    """Narrow scores give narrow derivatives."""
    compare.softmax_gradient(torch.from_numpy(rng.normal(size=5)).to(dtype))


def test_the_scores_are_left_as_they_were(unmodified, rng):
    """Whoever calls the function still finds the same numbers in the scores."""
    unmodified.softmax_gradient(torch.from_numpy(rng.normal(size=5)))


def test_derivatives_live_where_the_scores_do(portable, rng):
    """On another device than the CPU nothing is made on the CPU: no identity matrix either."""
    portable.softmax_gradient(torch.from_numpy(rng.normal(size=5)))
