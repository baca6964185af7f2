"""Step 1: three matrices give each token its query, its key and its value."""

import numpy as np
import pytest

from autograder.grading import question, weight

pytestmark = question("projections")


def tokens_and_weights(rng, n, d_model, d_k, d_v, batch=()):
    """Random x (*batch, n, d_model), w_q, w_k and w_v."""
    x = rng.normal(size=(*batch, n, d_model))
    return x, *(rng.normal(size=(d_model, width)) for width in (d_k, d_k, d_v))


@weight(3)
@pytest.mark.parametrize(
    "sizes", [(5, 6, 3, 2), (3, 2, 7, 4), (1, 5, 2, 8), (4, 4, 4, 4), (40, 24, 16, 8)]
)
def test_every_size_may_differ_from_every_other(compare, rng, sizes):
    """A matrix on the wrong side, or transposed, fits square weights only, with other values."""
    compare.project_qkv(*tokens_and_weights(rng, *sizes))


@weight(2)
@pytest.mark.parametrize("silenced", [0, 1, 2])
def test_each_matrix_has_one_role(student, rng, silenced):
    """A matrix of zeros silences its own result to exactly zero, and neither of the others."""
    x, *weights = tokens_and_weights(rng, 4, 6, 3, 3)
    weights[silenced] = np.zeros((6, 3))

    projected = student.project_qkv(x, *weights)

    for place, result in enumerate(projected):
        if place == silenced:
            assert np.all(result == 0), (
                "With one weight matrix all zero, the result that belongs to it is not zero. "
                "In which order are q, k and v returned, and is anything added to the product?"
            )
        else:
            assert np.any(result != 0), (
                "With one weight matrix all zero, a result that belongs to another matrix is zero. "
                "Which matrix makes which of q, k and v?"
            )


@weight(2)
def test_tokens_are_projected_one_by_one(compare, student, rng):
    """Tokens in another order give the same rows in that order: no token sees its neighbours."""
    x, *weights = tokens_and_weights(rng, 5, 5, 5, 5)
    order = np.roll(np.arange(5), rng.integers(1, 5))  # a rotation: it is not its own inverse

    before, after = compare.project_qkv(x, *weights), student.project_qkv(x[order], *weights)

    for one, other in zip(before, after, strict=True):
        assert np.allclose(np.asarray(one)[order], other), (
            "The same tokens in another order do not give the same rows in that order. "
            "A token is a row of x: does each result row come from one token alone?"
        )


@weight(3)
@pytest.mark.parametrize("batch", [(1,), (2,), (4, 2), (3,), (2, 1, 3)])
def test_any_number_of_batch_axes(compare, rng, batch):
    """Batch axes come through unchanged, also where their size is that of another axis."""
    compare.project_qkv(*tokens_and_weights(rng, 3, 6, 3, 2, batch))


@weight(2)
@pytest.mark.parametrize("whole", ["tokens", "weights", "both"])
def test_whole_numbers_are_tokens_too(compare, rng, whole):
    """Integers are right on either side, and beside fractions nothing is cut off."""
    x, *weights = tokens_and_weights(rng, 5, 6, 3, 2)
    if whole != "weights":
        x = rng.integers(-9, 10, size=x.shape)
    if whole != "tokens":
        weights = [rng.integers(-9, 10, size=w.shape) for w in weights]

    compare.project_qkv(x, *weights)


def test_single_precision_is_enough(compare, rng):
    """Arguments in float32 give results at least as wide."""
    compare.project_qkv(*(a.astype(np.float32) for a in tokens_and_weights(rng, 5, 6, 3, 2)))


def test_arguments_are_left_as_they_were(unmodified, rng):
    """Whoever calls the function still finds the same numbers in its arguments."""
    unmodified.project_qkv(*tokens_and_weights(rng, 5, 6, 3, 2))
