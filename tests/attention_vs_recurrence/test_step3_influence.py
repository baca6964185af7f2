"""Step 3: the size of the derivative of each output token by each input token."""

import numpy as np
import pytest
import torch

from autograder.grading import question, weight

pytestmark = question("influence")


def drawn(rng, *sizes):
    """Random tensors of these sizes."""
    return [torch.from_numpy(rng.normal(size=size)) for size in sizes]


def linear(mix, turn):
    """y = A x B, whose influence is known: |A| times the Frobenius norm of B."""
    return lambda x: mix.to(x.dtype) @ x @ turn.to(x.dtype)


def attention(w_q, w_k, w_v, causal=False):
    """A layer of self-attention with these weights; causal: no token sees a later one."""

    def layer(x):
        scores = (x @ w_q) @ (x @ w_k).T / w_k.shape[-1] ** 0.5
        if causal:
            later = torch.ones(len(x), len(x), dtype=torch.bool).triu(1)
            scores = scores.masked_fill(later, float("-inf"))
        return torch.softmax(scores, dim=-1) @ (x @ w_v)

    return layer


@weight(3)
@pytest.mark.parametrize(("n", "d", "d_out"), [(5, 3, 2), (3, 2, 6), (4, 4, 4), (1, 3, 2)])
def test_linear_layers_show_their_own_numbers(compare, rng, n, d, d_out):
    """Of y = A x B the influence of j on i is |A_ij| times the Frobenius norm of B."""
    mix, turn, x = drawn(rng, (n, n), (d, d_out), (n, d))

    found = compare.influence(linear(mix, turn), x)

    assert torch.allclose(found, mix.abs() * torch.linalg.norm(turn)), (
        "Of a layer that mixes tokens by one matrix and turns features by another, the influence "
        "is not the size of the one's entry times the norm of the other. "
        "Which numbers belong to one pair of tokens, and how do they become one?"
    )


@weight(2)
@pytest.mark.parametrize(("n", "d", "d_out"), [(5, 3, 4), (4, 4, 4)])
def test_layers_that_bend_are_measured_where_they_are_asked(compare, rng, n, d, d_out):
    """Attention and recurrence at a given x: the derivative there and nowhere else."""
    x, w_q, w_k, w_v, w_x, w_h = drawn(
        rng, (n, d), (d, 2), (d, 2), (d, d_out), (d, d_out), (d_out, d_out)
    )

    def recurrent(tokens):
        state, states = torch.zeros(d_out, dtype=torch.float64), []
        for token in tokens:
            state = torch.tanh(token @ w_x + state @ w_h / 2)
            states.append(state)
        return torch.stack(states)

    compare.influence(attention(w_q, w_k, w_v), x)
    compare.influence(recurrent, x)


def test_no_influence_without_a_way(student, rng):
    """A causal layer has exactly nothing above the diagonal, a layer token by token beside it."""
    x, w_q, w_k, w_v = drawn(rng, (6, 3), (3, 2), (3, 2), (3, 4))

    causal = student.influence(attention(w_q, w_k, w_v, causal=True), x)
    alone = student.influence(lambda tokens: torch.tanh(tokens @ w_v), x)

    assert torch.all(causal.triu(1) == 0), (
        "No token of this layer hears a later one, but you find an influence. "
        "Is row i the output token and column j the input token?"
    )
    assert torch.all(causal.tril() + torch.ones(6, 6, dtype=x.dtype).triu(1) > 0), (
        "Each token of this layer hears all tokens before it and itself, but somewhere you find "
        "no influence. Which derivative do you look at?"
    )
    assert torch.all((alone > 0) == torch.eye(6, dtype=torch.bool)), (
        "Each output of this layer is made of its own token alone. Where should influence stand?"
    )


def test_influences_that_cancel_are_still_there(compare, rng):
    """Features that sum up to the same total are moved all the same: squares do not cancel."""
    x, mix, turn = drawn(rng, (5, 3), (5, 5), (3, 4))

    compare.influence(lambda tokens: torch.softmax(mix @ tokens @ turn, dim=-1), x)


def test_an_output_may_hear_nobody(compare, rng):
    """A row of zeros where an output is always the same, and a column where a token is ignored."""
    (x,) = drawn(rng, (5, 3))

    compare.influence(lambda tokens: torch.cat([0 * tokens[:1], 3 * tokens[:-1] ** 2]), x)


@pytest.mark.parametrize("n", [4, 5])
def test_single_precision_stays_single(compare, rng, n):
    """The result has the dtype of x."""
    mix, turn, x = drawn(rng, (n, n), (3, 2), (n, 3))

    compare.influence(linear(mix, turn), x.float())


def test_the_tokens_are_left_as_they_were(unmodified, rng):
    """Whoever asks still finds the same numbers in x."""
    mix, turn, x = drawn(rng, (5, 5), (3, 2), (5, 3))

    unmodified.influence(linear(mix, turn), x + np.pi)
