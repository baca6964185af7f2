"""Step 3: dividing by √d_k keeps the spread of the scores near 1."""

import numpy as np
import pytest

from autograder.grading import question, weight

pytestmark = question("scaling")


@weight(3)
@pytest.mark.parametrize("d_k", [2, 3, 8, 64])
def test_divides_by_the_root_of_the_key_width(compare, rng, d_k):
    """A constant divisor, a whole-number root, or √n is right for one width only."""
    compare.scale_scores(rng.normal(size=(5, 7)), d_k)


@weight(2)
def test_spread_does_not_grow_with_key_width(student, rng):
    """Random queries and keys give scores of spread near 1, however wide the keys."""
    q, k = rng.normal(size=(2, 300, 256))

    spread = np.std(student.scale_scores(q @ k.T, 256))

    assert spread < 1.1, (
        "Scores of random wide keys still spread much more than 1 after scaling. "
        "How does the variance of a sum of d_k products grow with d_k?"
    )
    assert spread > 0.9, (
        "Scores of random wide keys spread much less than 1 after scaling. "
        "If a sum of d_k products has variance d_k, what is its standard deviation?"
    )


@weight(2)
@pytest.mark.parametrize("d_k", [3, 5])
def test_four_times_the_width_halves_the_result(compare, student, rng, d_k):
    """√(4 d_k) is 2 √d_k: keys four times as wide give scores half as large."""
    scores = rng.normal(size=(4, 6))

    narrow, wide = compare.scale_scores(scores, d_k), student.scale_scores(scores, 4 * d_k)

    assert np.allclose(np.asarray(narrow), 2 * np.asarray(wide)), (
        "The same scores, scaled for keys four times as wide, are not half as large. "
        "How does your divisor depend on d_k?"
    )


@weight(2)
def test_only_the_key_width_counts(compare, student, rng):
    """Fewer queries or keys leave the remaining entries as they are."""
    scores = rng.normal(size=(6, 8))

    all_of_them = np.asarray(compare.scale_scores(scores, 5))

    for part in (np.s_[:2], np.s_[:, :3]):
        assert np.allclose(student.scale_scores(scores[part], 5), all_of_them[part]), (
            "With fewer queries or fewer keys, the remaining scores are scaled in another way. "
            "Should the divisor depend on the length of the sequence?"
        )


@weight(2)
@pytest.mark.parametrize("shape", [(1, 5, 7), (2, 5, 7), (3, 2, 4, 4), (3, 3, 3), (2, 1, 2, 3, 4)])
def test_any_number_of_batch_axes(compare, rng, shape):
    """Every entry is scaled alike, however many batch axes there are."""
    compare.scale_scores(rng.normal(size=shape), 6)


@weight(2)
@pytest.mark.parametrize("dtype", [np.int64, np.float32])
def test_whole_numbers_and_single_precision(compare, rng, dtype):
    """Integer scores become fractions; float32 stays at least as wide."""
    compare.scale_scores((20 * rng.normal(size=(5, 4))).astype(dtype), 3)


@pytest.mark.parametrize("size", [1, 1e6])
def test_no_score_is_cut_off(compare, rng, size):
    """Scores of any size are only divided, and a score of -inf stays -inf."""
    scores = size * rng.normal(size=(4, 6))
    scores[:, rng.integers(6)] = -np.inf

    compare.scale_scores(scores, 5)


def test_arguments_are_left_as_they_were(unmodified, rng):
    """Whoever calls the function still finds the same numbers in its arguments."""
    unmodified.scale_scores(rng.normal(size=(5, 7)), 3)
