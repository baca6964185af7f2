"""Step 6: a soft look-up among the tokens of one sequence."""

import numpy as np
import pytest

from autograder.grading import question, weight

pytestmark = question("self_attention")


def tokens_and_weights(rng, n, d_model, d_k, d_v, batch=()):
    """Random x (*batch, n, d_model), w_q, w_k and w_v; the scores are moderate."""
    x = rng.normal(size=(*batch, n, d_model))
    return x, *(rng.normal(size=(d_model, width)) / 2 for width in (d_k, d_k, d_v))


@weight(3)
@pytest.mark.parametrize(
    "sizes",
    [(5, 6, 3, 2), (5, 6, 8, 2), (3, 2, 7, 4), (6, 3, 3, 5), (4, 4, 4, 4), (40, 24, 16, 8)],
)
def test_every_size_may_differ_from_every_other(compare, rng, sizes):
    """The root of the wrong width, or keys in place of values, fits one special size only."""
    compare.self_attention(*tokens_and_weights(rng, *sizes))


@weight(2)
def test_a_matching_query_retrieves_one_value_exactly(student, rng):
    """With one-hot keys and a large matching query, the look-up is hard: one value, exactly."""
    tokens = rng.permutation(6)[:5]
    wanted = np.roll(tokens, 1)  # each token asks for the one before it, the first for the last
    w_q = np.zeros((6, 8))
    w_q[tokens, wanted] = rng.uniform(1e4, 1e5, size=5)
    w_v = rng.normal(size=(6, 3))

    output, weights = student.self_attention(np.eye(6)[tokens], w_q, np.eye(6, 8), w_v)

    assert np.array_equal(weights, np.roll(np.eye(5), -1, axis=1)), (
        "Each query matches one key and no other, by far, but does not give all its weight to it. "
        "Which of the five steps sees queries, which sees keys, and which axis belongs to which?"
    )
    assert np.array_equal(output, w_v[wanted]), (
        "Each query gives all its weight to one key, but the output is not exactly that token's "
        "value. What do the weights multiply?"
    )


def test_the_same_token_in_two_contexts(student, rng):
    """A word means something else among other words: its output depends on its context."""
    x, *weights = tokens_and_weights(rng, 4, 6, 3, 2)
    other = rng.normal(size=x.shape)
    other[0] = x[0]

    outputs = [student.self_attention(tokens, *weights)[0] for tokens in (x, other, x)]
    here, there, here_again = (output[0] for output in outputs)

    assert not np.allclose(here, there, rtol=1e-6, atol=1e-6), (
        "The same token among other tokens gets the same output. "
        "Where do the other tokens come into your result?"
    )
    assert np.allclose(here, here_again), (
        "The same tokens, asked a second time, get another output. "
        "What does your code keep from one call to the next?"
    )


def test_a_token_alone_attends_to_itself(student, rng):
    """With one token there is nothing to choose: weight 1, and its own value as output."""
    x, w_q, w_k, w_v = tokens_and_weights(rng, 1, 6, 3, 2)

    output, weights = student.self_attention(x, w_q, w_k, w_v)

    assert np.all(np.asarray(weights) == 1), (
        "A token that is alone in its sequence does not give itself all the weight. "
        "What do the weights of one query sum to?"
    )
    assert np.allclose(output, x @ w_v), (
        "A token that is alone in its sequence does not get its own value as output. "
        "What do the weights multiply?"
    )


def test_the_output_follows_the_order_of_the_tokens(compare, student, rng):
    """Tokens in another order give the same outputs in that order: there is no first token."""
    x, *weights = tokens_and_weights(rng, 5, 6, 3, 2)
    order = np.roll(np.arange(5), rng.integers(1, 5))  # a rotation: it is not its own inverse

    before, _ = compare.self_attention(x, *weights)
    after, _ = student.self_attention(x[order], *weights)

    assert np.allclose(np.asarray(before)[order], after), (
        "The same tokens in another order do not give the same outputs in that order. "
        "Does anything in your steps depend on where a token stands?"
    )


@weight(2)
@pytest.mark.parametrize(
    ("batch", "sizes"),
    [((1,), (5, 6, 3, 2)), ((2,), (5, 6, 3, 2)), ((3, 2), (5, 6, 8, 4)), ((3,), (3, 3, 3, 3))],
)
def test_any_number_of_batch_axes(compare, rng, batch, sizes):
    """Each sequence attends to itself only, however many batch axes there are."""
    compare.self_attention(*tokens_and_weights(rng, *sizes, batch))


def test_logits_of_any_size(compare, rng):
    """What moves all scores of a query alike, by thousands up or down, changes no weight."""
    x, w_q, w_k, w_v = tokens_and_weights(rng, 5, 6, 3, 2)
    moves = rng.permutation(np.linspace(-9000, 9000, 5))
    x = np.column_stack([x, moves, np.ones(5)])
    w_q, w_k = (np.pad(w, [(0, 2), (0, 1)]) for w in (w_q, w_k))
    w_q[-2, -1] = w_k[-1, -1] = 1  # each query's move, times one for every key

    compare.self_attention(x, w_q, w_k, np.pad(w_v, [(0, 2), (0, 0)]))


def test_whole_numbers_are_tokens_too(compare, rng):
    """Integer tokens and weights give fractions, not zeros and ones."""
    x, *weights = tokens_and_weights(rng, 5, 6, 3, 2)

    compare.self_attention(*(rng.integers(-2, 3, size=a.shape) for a in (x, *weights)))


def test_single_precision_is_enough(compare, rng):
    """Arguments in float32 give results at least as wide."""
    drawn = tokens_and_weights(rng, 5, 6, 3, 2)

    compare.self_attention(*(a.astype(np.float32) for a in drawn))


def test_arguments_are_left_as_they_were(unmodified, rng):
    """Whoever calls the function still finds the same numbers in its arguments."""
    unmodified.self_attention(*tokens_and_weights(rng, 5, 6, 3, 2))
