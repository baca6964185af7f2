"""Step 6: the student's property test tells layers with the property from layers without it."""

import pytest
import torch

from autograder.grading import question, weight

pytestmark = question("order")


def drawn(rng, *sizes):
    """Random tensors of these sizes."""
    return [torch.from_numpy(rng.normal(size=size)) for size in sizes]


def shuffled(rng, n):
    """A permutation that is not its own inverse, and moves every token: a rotation, shuffled."""
    names = rng.permutation(n)
    permutation = torch.empty(n, dtype=torch.int64)
    permutation[torch.from_numpy(names)] = torch.from_numpy(names).roll(1)
    return permutation


def attention(rng, d, causal=False):
    """Self-attention with weights of its own; causal: no token sees a later one."""
    w_q, w_k, w_v = drawn(rng, (d, 3), (d, 3), (d, 2))

    def layer(x):
        scores = (x @ w_q) @ (x @ w_k).transpose(-2, -1) / 3**0.5
        if causal:
            later = torch.ones(x.shape[-2], x.shape[-2], dtype=torch.bool).triu(1)
            scores = scores.masked_fill(later, float("-inf"))
        return torch.softmax(scores, dim=-1) @ (x @ w_v)

    return layer


def recurrent(rng, d):
    """A recurrent layer, which reads in order."""
    w_x, w_h = drawn(rng, (d, 4), (4, 4))

    def layer(x):
        state, states = torch.zeros(*x.shape[:-2], 4, dtype=x.dtype), []
        for token in x.unbind(-2):
            state = torch.tanh(token @ w_x + state @ w_h / 2)
            states.append(state)
        return torch.stack(states, -2)

    return layer


def encoded(layer, places):
    """The layer after a positional encoding: each place adds its own row."""
    return lambda x: layer(x + places)


@weight(3)
@pytest.mark.parametrize(("n", "d"), [(6, 4), (8, 3), (6, 6)])
def test_layers_that_know_the_order_and_layers_that_do_not(student, rng, n, d):
    """Attention is found out by a mask, by places and by recurrence; without them it is a set."""
    x, places, turn = drawn(rng, (n, d), (n, d), (d, 5))
    plain = attention(rng, d)
    sets = [plain, lambda tokens: torch.tanh(tokens @ turn)]
    orders = [attention(rng, d, causal=True), encoded(plain, places), recurrent(rng, d)]

    for _ in range(2):
        permutation = shuffled(rng, n)
        for layer in sets:
            assert student.is_permutation_equivariant(layer, x, permutation), (
                "A layer treats its tokens as a set, and you say that it does not. "
                "What do you reorder before the layer, what after it, how closely do you compare?"
            )
        for layer in orders:
            assert not student.is_permutation_equivariant(layer, x, permutation), (
                "The outputs of a layer do not move with its tokens, and you say that they do. "
                "What do you reorder before the layer, what after it, how closely do you compare?"
            )


@weight(2)
@pytest.mark.parametrize("batch", [(2,), (6,), (9,), (2, 3)])
def test_tokens_are_reordered_within_each_sequence(student, rng, batch):
    """In a batch the sequences stay where they are, also where there are as many as tokens."""
    (x,) = drawn(rng, (*batch, 6, 4))
    permutation = shuffled(rng, 6)

    is_set = student.is_permutation_equivariant(attention(rng, 4), x, permutation)
    reads = student.is_permutation_equivariant(recurrent(rng, 4), x, permutation)

    assert is_set, (
        "In a batch, a layer treats the tokens of each sequence as a set, and you say that it "
        "does not. Along which axis do you reorder?"
    )
    assert not reads, (
        "In a batch, a layer reads the tokens of each sequence in order, and you say that it does "
        "not. Along which axis do you reorder?"
    )


@weight(2)
def test_equivariant_is_not_invariant(student, rng):
    """Outputs that stay where they are while tokens move are the other property."""
    (x,) = drawn(rng, (7, 3))
    permutation = shuffled(rng, 7)

    moves = student.is_permutation_equivariant(torch.sin, x, permutation)
    stays = student.is_permutation_equivariant(
        lambda tokens: tokens.sort(dim=-2).values, x, permutation
    )

    assert moves, (
        "The outputs of a layer move with its tokens, and you say that this is not equivariant. "
        "What should the outputs be compared with: the old ones, or the old ones reordered?"
    )
    assert not stays, (
        "The outputs of a layer stay where they are while the tokens move, and you say that this "
        "is equivariant. What should the outputs be compared with?"
    )


def test_the_permutation_is_the_one_that_is_given(student, rng):
    """A layer that turns the tokens round commutes with turning round, and with little else."""
    (x,) = drawn(rng, (7, 3))
    around = torch.arange(6, -1, -1)

    turned = student.is_permutation_equivariant(lambda tokens: tokens.flip(-2), x, around)
    mixed = student.is_permutation_equivariant(
        lambda tokens: tokens.flip(-2), x, torch.tensor([1, 2, 0, 3, 4, 5, 6])
    )

    assert turned, (
        "For the permutation that is asked about, the law holds, and you say that it does not. "
        "Which permutations do you try?"
    )
    assert not mixed, (
        "For the permutation that is asked about, the law does not hold, and you say that it does. "
        "Which permutations do you try?"
    )


def test_one_place_betrays_the_order(student, rng):
    """A layer that treats one place alone otherwise is no set, whichever outputs that shows in."""
    (x,) = drawn(rng, (7, 3))
    mark = torch.zeros(7, 1, dtype=x.dtype)
    mark[2] = 1
    permutation = torch.tensor([6, 0, 5, 1, 2, 4, 3])  # it shows in outputs 2 and 4

    unmarked = student.is_permutation_equivariant(torch.tanh, x, permutation)
    marked = student.is_permutation_equivariant(encoded(torch.tanh, mark), x, permutation)

    assert unmarked, (
        "A layer treats its tokens as a set, and you say that it does not. "
        "What do you reorder before the layer, and what after it?"
    )
    assert not marked, (
        "A layer treats the token at one place otherwise than all others, and you overlook it. "
        "Which outputs do you compare?"
    )


def test_rounding_is_no_order_and_a_small_place_is(student, rng):
    """Sums in another order differ in the last digits; a faint encoding differs in the fifth."""
    x, places = drawn(rng, (40, 6), (40, 6))
    layer, permutation = attention(rng, 6), shuffled(rng, 40)

    exact = student.is_permutation_equivariant(layer, x, permutation)
    faint = student.is_permutation_equivariant(encoded(layer, places / 1e4), x, permutation)

    assert exact, (
        "Two sides that differ by rounding alone count as different for you. "
        "In which order are the terms of a sum added, before and after reordering?"
    )
    assert not faint, (
        "A layer that adds a faint mark of its place to each token counts as blind to order for "
        "you. How much difference do you allow in double precision?"
    )


def test_the_arguments_are_left_as_they_were(unmodified, rng):
    """Whoever asks still finds the same tokens and the same permutation."""
    (x,) = drawn(rng, (6, 4))

    unmodified.is_permutation_equivariant(torch.tanh, x, shuffled(rng, 6))
    unmodified.is_permutation_equivariant(lambda tokens: tokens.cumsum(-2), x, shuffled(rng, 6))
