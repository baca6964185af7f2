"""Step 2: entry (i, j) of the scores is the dot product of query i and key j."""

import numpy as np
import pytest

from autograder.grading import question, weight

pytestmark = question("scores")


def queries_and_keys(rng, n_q, n_k, d_k, batch=()):
    """Random q (*batch, n_q, d_k) and k (*batch, n_k, d_k)."""
    return rng.normal(size=(*batch, n_q, d_k)), rng.normal(size=(*batch, n_k, d_k))


@weight(3)
@pytest.mark.parametrize(
    "sizes",
    [
        (5, 4, 3),
        (2, 7, 8),
        (1, 3, 5),  # one query
        (4, 1, 3),  # one key
        (3, 4, 1),  # one feature
        (6, 3, 3),
        (3, 3, 6),
        (4, 4, 4),
        (40, 30, 16),
    ],
)
def test_more_queries_than_keys_or_fewer(compare, rng, sizes):
    """Keys that are not transposed, or reshaped, fit square sizes only, with other values."""
    compare.attention_scores(*queries_and_keys(rng, *sizes))


@weight(2)
def test_rows_follow_the_queries_and_columns_the_keys(compare, student, rng):
    """Queries in another order reorder the rows; keys in another order reorder the columns."""
    q, k = queries_and_keys(rng, 5, 5, 3)
    order = np.roll(np.arange(5), rng.integers(1, 5))  # a rotation: it is not its own inverse

    scores = np.asarray(compare.attention_scores(q, k))

    assert np.allclose(student.attention_scores(q[order], k), scores[order]), (
        "Queries in another order do not reorder the rows of your scores. "
        "Whose row is row i: a query's or a key's?"
    )
    assert np.allclose(student.attention_scores(q, k[order]), scores[:, order]), (
        "Keys in another order do not reorder the columns of your scores. "
        "What does column j belong to?"
    )


@weight(2)
def test_a_query_recognises_its_own_key(student, rng):
    """Among orthonormal keys, a query equal to one of them scores 1 there and 0 elsewhere."""
    k = np.linalg.qr(rng.normal(size=(5, 5)))[0]
    asked = rng.integers(5, size=7)

    scores = student.attention_scores(k[asked], k)

    assert np.allclose(scores, np.eye(5)[asked]), (
        "The keys stand at right angles and have length 1, and each query equals one of them: "
        "it should score 1 with that key and 0 with the others, and yours does not. "
        "Is each score the dot product of one whole query and one whole key, and nothing else?"
    )


@weight(3)
@pytest.mark.parametrize(
    ("batch", "sizes"),
    [
        ((1,), (5, 4, 3)),
        ((2,), (5, 4, 3)),
        ((3, 2), (5, 4, 6)),
        ((3,), (3, 3, 3)),
        ((2, 1, 2), (5, 4, 3)),
    ],
)
def test_any_number_of_batch_axes(compare, rng, batch, sizes):
    """Each sequence is scored by itself, however many batch axes there are."""
    compare.attention_scores(*queries_and_keys(rng, *sizes, batch))


@weight(2)
@pytest.mark.parametrize("fractional", ["neither", "queries", "keys"])
def test_whole_numbers_are_compared_too(compare, rng, fractional):
    """Integers are right on either side, and beside fractions nothing is cut off."""
    q, k = rng.integers(-9, 10, size=(5, 3)), rng.integers(-9, 10, size=(4, 3))
    if fractional == "queries":
        q = q / 8
    if fractional == "keys":
        k = k / 8

    compare.attention_scores(q, k)


def test_single_precision_is_enough(compare, rng):
    """Arguments in float32 give scores at least as wide."""
    q, k = queries_and_keys(rng, 5, 4, 8)

    compare.attention_scores(q.astype(np.float32), k.astype(np.float32))


def test_arguments_are_left_as_they_were(unmodified, rng):
    """Whoever calls the function still finds the same numbers in its arguments."""
    unmodified.attention_scores(*queries_and_keys(rng, 5, 4, 3))
