"""Step 5: each output is the mean of the values under one query's weights."""

import numpy as np
import pytest

from autograder.grading import question, weight

pytestmark = question("output")


def weights_and_values(rng, n_q, n_k, d_v, batch=()):
    """Random weights (*batch, n_q, n_k) whose rows sum to 1, and v (*batch, n_k, d_v)."""
    weights = rng.dirichlet(np.ones(n_k), size=(*batch, n_q))
    return weights, rng.normal(size=(*batch, n_k, d_v))


@weight(3)
@pytest.mark.parametrize(
    "sizes", [(5, 4, 2), (2, 7, 3), (1, 3, 6), (4, 1, 2), (4, 4, 4), (40, 30, 8)]
)
def test_every_size_may_differ_from_every_other(compare, rng, sizes):
    """Transposed weights, or factors the other way round, fit square sizes only."""
    compare.attention_output(*weights_and_values(rng, *sizes))


@weight(2)
def test_all_weight_on_one_key_returns_its_value_exactly(student, rng):
    """A one-hot row of weights is a look-up: the output is that key's value, bit for bit."""
    v = rng.normal(size=(5, 5))
    picked = np.roll(np.arange(5), rng.integers(1, 5))  # a rotation: it is not its own inverse

    output = student.attention_output(np.eye(5)[picked], v)

    assert np.array_equal(output, v[picked]), (
        "Each query gives all its weight to one key, but the output is not exactly that key's "
        "value. Whose weights stand in a row, and is anything done to them on the way?"
    )


@weight(2)
def test_equal_values_come_out_unchanged(student, rng):
    """If all keys carry the same value, every query gets that value, whatever its weights."""
    weights, _ = weights_and_values(rng, 5, 5, 3)
    value = rng.normal(size=3)

    output = student.attention_output(weights, np.tile(value, (5, 1)))

    assert np.allclose(output, value), (
        "All keys carry the same value, but the mean of them is another. "
        "Do the weights that you sum over belong to one query, and sum to 1?"
    )


@weight(2)
def test_the_order_of_the_keys_does_not_matter(compare, student, rng):
    """Keys reordered together with their values give the same output."""
    weights, v = weights_and_values(rng, 5, 5, 5)
    order = np.roll(np.arange(5), rng.integers(1, 5))  # a rotation: it is not its own inverse

    before = compare.attention_output(weights, v)
    after = student.attention_output(weights[:, order], v[order])

    assert np.allclose(before, after), (
        "Reordering the keys together with their values changed the output. "
        "Over which axis of the weights do you sum?"
    )


@weight(2)
@pytest.mark.parametrize(
    ("batch", "sizes"),
    [((1,), (5, 4, 2)), ((2,), (5, 4, 3)), ((3, 2), (5, 4, 6)), ((3,), (3, 3, 3))],
)
def test_any_number_of_batch_axes(compare, rng, batch, sizes):
    """Each sequence mixes its own values, however many batch axes there are."""
    compare.attention_output(*weights_and_values(rng, *sizes, batch))


@weight(2)
@pytest.mark.parametrize("dtype", [np.int64, np.float32])
def test_whole_numbers_and_single_precision(compare, rng, dtype):
    """Integer values are mixed into fractions; float32 stays at least as wide."""
    weights, v = weights_and_values(rng, 5, 4, 3)
    if dtype is np.float32:
        weights = weights.astype(dtype)

    compare.attention_output(weights, (9 * v).astype(dtype))


def test_arguments_are_left_as_they_were(unmodified, rng):
    """Whoever calls the function still finds the same numbers in its arguments."""
    unmodified.attention_output(*weights_and_values(rng, 5, 4, 2))
