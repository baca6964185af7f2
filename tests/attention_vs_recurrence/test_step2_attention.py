"""Step 2: all tokens at once, by a few products whose number does not depend on n."""

import numpy as np
import pytest
import torch

from autograder.grading import question, weight

pytestmark = question("attention")


def tokens_and_weights(rng, n, d_model, d_k, d_v, batch=()):
    """Random x (*batch, n, d_model), w_q, w_k and w_v; the scores are moderate."""
    x = rng.normal(size=(*batch, n, d_model))
    weights = [rng.normal(size=(d_model, width)) / np.sqrt(d_model) for width in (d_k, d_k, d_v)]
    return [torch.from_numpy(a) for a in (x, *weights)]


@weight(3)
@pytest.mark.parametrize(
    "sizes", [(5, 6, 3, 2), (5, 6, 8, 2), (3, 2, 7, 4), (6, 3, 3, 5), (1, 3, 2, 4), (4, 4, 4, 4)]
)
def test_every_size_may_differ_from_every_other(compare, rng, sizes):
    """The root of the wrong width, or keys in place of values, fits one special size only."""
    compare.self_attention(*tokens_and_weights(rng, *sizes))


@weight(2)
@pytest.mark.parametrize(
    ("batch", "sizes"),
    [((1,), (5, 6, 3, 2)), ((2,), (5, 6, 3, 2)), ((3, 2), (5, 6, 8, 4)), ((3,), (3, 3, 3, 3))],
)
def test_any_number_of_batch_axes(compare, device, rng, batch, sizes):
    """Each sequence attends to itself only, however many batch axes there are."""
    given = tokens_and_weights(rng, *sizes, batch)

    compare.self_attention(*(device.tensor(one.numpy()) for one in given))


def test_a_matching_query_retrieves_one_value_exactly(student, rng):
    """With one-hot keys and a large matching query, the look-up is hard: one value, exactly."""
    tokens = torch.from_numpy(rng.permutation(6)[:5])
    wanted = tokens.roll(1)  # each token asks for the one before it, the first for the last
    w_q = torch.zeros(6, 8, dtype=torch.float64)
    w_q[tokens, wanted] = torch.from_numpy(rng.uniform(1e4, 1e5, size=5))
    w_v = torch.from_numpy(rng.normal(size=(6, 3)))
    one_hot = torch.eye(6, dtype=torch.float64)

    output, weights = student.self_attention(
        one_hot[tokens], w_q, torch.eye(6, 8, dtype=torch.float64), w_v
    )

    assert torch.equal(weights, torch.eye(5, dtype=torch.float64).roll(-1, dims=1)), (
        "Each query matches one key and no other, by far, but does not give all its weight to it. "
        "What is compared with what, and over which axis is the weight shared out?"
    )
    assert torch.equal(output, w_v[wanted]), (
        "Each query gives all its weight to one key, but the output is not exactly that token's "
        "value. What do the weights multiply?"
    )


@weight(3)
@pytest.mark.parametrize("sizes", [(5, 6, 3, 2), (4, 3, 8, 5), (4, 4, 4, 4)])
def test_gradients_flow_to_every_argument(gradients, rng, sizes):
    """Output and weights can both be learnt from: no value of Python's or NumPy's between."""
    gradients.self_attention(*tokens_and_weights(rng, *sizes))


@weight(5)
def test_more_tokens_take_no_more_operations(probe, rng):
    """All tokens at once: neither the number of operations nor the path of gradients grows."""
    short, long = (probe.self_attention(*tokens_and_weights(rng, n, 6, 4, 3)) for n in (12, 48))

    assert short.operations == long.operations, (
        "With more tokens your code calls more operations, one after the other. "
        "Which of your lines goes through the tokens one by one, and what treats all at once?"
    )
    assert short.depth == long.depth, (
        "With more tokens the way of the gradients gets longer. Which tokens wait for others?"
    )


@weight(2)
def test_each_pair_of_tokens_costs_one_width(probe, rng):
    """The work for the pairs of tokens grows with the width d, not with its square."""

    def work_of_pairs(d):
        few, more, most = (
            probe.self_attention(*tokens_and_weights(rng, n, d, d, d)).flops for n in (8, 16, 24)
        )
        return most - 2 * more + few  # what is linear in n is no part of it

    narrow, wide = work_of_pairs(32), work_of_pairs(64)

    assert narrow > 0, (
        "More pairs of tokens do not take more multiplications. Is each query compared with "
        "each key?"
    )
    assert 1.5 < wide / narrow < 2.5, (
        "With vectors twice as wide, the work for each pair of tokens does not double. "
        "What do you compute for a pair that could be computed once for a token?"
    )


def test_scores_of_any_size(compare, rng):
    """What moves all scores of a query alike, by thousands up or down, changes no weight."""
    x, w_q, w_k, w_v = (a.numpy() for a in tokens_and_weights(rng, 5, 6, 3, 2))
    moves = rng.permutation(np.linspace(-9000, 9000, 5))
    x = np.column_stack([x, moves, np.ones(5)])
    w_q, w_k = (np.pad(w, [(0, 2), (0, 1)]) for w in (w_q, w_k))
    w_q[-2, -1] = w_k[-1, -1] = 1  # each query's move, times one for every key
    drawn = x, w_q, w_k, np.pad(w_v, [(0, 2), (0, 0)])

    compare.self_attention(*map(torch.from_numpy, drawn))


@pytest.mark.parametrize("dtype", [torch.float32, torch.bfloat16])
def test_the_dtype_is_that_of_the_tokens(compare, rng, dtype):
    """Narrow tokens and weights give narrow results."""
    compare.self_attention(*(a.to(dtype) for a in tokens_and_weights(rng, 5, 6, 3, 2)))


def test_arguments_are_left_as_they_were(unmodified, rng):
    """Whoever calls the function still finds the same numbers in its arguments."""
    unmodified.self_attention(*tokens_and_weights(rng, 5, 6, 3, 2))
