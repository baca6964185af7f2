"""Step 3: several heads, each of them an attention of its own."""

import pytest
import torch
from torch import nn

from autograder.grading import question, weight

pytestmark = question("multi_head")

NAMES = ("w_q", "w_k", "w_v", "w_o")


def drawn(rng, *shape):
    """Random numbers in double precision."""
    return torch.from_numpy(rng.normal(size=shape))


def weights_of(rng, d_model):
    """Four random matrices by name; the scores are moderate."""
    return {name: drawn(rng, d_model, d_model) / d_model**0.5 for name in NAMES}


def layer_of(calls, d_model, num_heads, weights):
    """`calls.MultiHeadAttention` of these sizes, with these weights."""
    layer = calls.MultiHeadAttention(d_model, num_heads)
    layer.load_state_dict(weights)
    return layer


def hides_some(rng, batch, rows, n):
    """A random mask (*batch, rows, n) that leaves every query at least one key."""
    order = rng.permuted(torch.arange(n).expand(*batch, rows, n).numpy(), axis=-1)
    return torch.from_numpy(order < rng.integers(1, n, size=(*batch, rows, 1)))


@weight(3)
@pytest.mark.parametrize(
    ("batch", "sizes"),
    [
        ((), (5, 6, 3)),
        ((), (2, 6, 1)),
        ((2,), (4, 8, 2)),
        ((3,), (3, 9, 3)),
        ((4, 2), (5, 6, 3)),
        ((2, 2), (7, 4, 4)),
    ],
)
def test_a_head_gets_its_columns_of_every_token(compare, rng, batch, sizes):
    """A head that gets a block of tokens, or every other column, has the right shape as well."""
    n, d_model, num_heads = sizes

    compare.split_heads(drawn(rng, *batch, n, d_model), num_heads)


@weight(3)
@pytest.mark.parametrize(
    ("batch", "sizes"),
    [
        ((), (3, 5, 2)),
        ((), (4, 7, 1)),
        ((2,), (2, 4, 4)),
        ((3,), (3, 3, 3)),
        ((4, 2), (3, 5, 2)),
        ((2, 2), (1, 2, 6)),
    ],
)
def test_tokens_come_together_again(compare, rng, batch, sizes):
    """The columns of a token's heads stand side by side in its row, first head first."""
    compare.merge_heads(drawn(rng, *batch, *sizes))


@weight(2)
@pytest.mark.parametrize(("n", "d_model", "num_heads"), [(5, 6, 3), (6, 6, 3), (4, 8, 2)])
def test_merging_undoes_splitting(student, rng, n, d_model, num_heads):
    """What is split and merged again is what it was, bit for bit."""
    x = drawn(rng, 2, n, d_model)

    merged = student.merge_heads(student.split_heads(x, num_heads))

    assert torch.equal(merged, x), (
        "Tokens that are split into heads and merged again are not what they were. "
        "Which axes did the split exchange, and does the merge exchange them back?"
    )


@weight(2)
@pytest.mark.parametrize(("d_model", "num_heads"), [(7, 3), (6, 4), (3, 5)])
@pytest.mark.parametrize("who", ["split", "layer"])
def test_a_width_that_cannot_be_shared_out_is_refused(refuses, rng, who, d_model, num_heads):
    """Heads of unequal width are an error, and are said to be one."""
    if who == "split":
        refuses.split_heads(drawn(rng, 4, d_model), num_heads)
    else:
        refuses.MultiHeadAttention(d_model, num_heads)


@weight(2)
@pytest.mark.parametrize(("d_model", "num_heads"), [(6, 3), (4, 1)])
def test_four_square_matrices_and_nothing_else(compare, d_model, num_heads):
    """The parameters have the names and shapes that weights are loaded by; there is no bias."""
    compare.MultiHeadAttention(d_model, num_heads).state_dict()


@weight(4)
@pytest.mark.parametrize(
    ("batch", "sizes"),
    [
        ((), (5, 6, 3)),
        ((), (5, 3, 1)),
        ((2,), (4, 8, 2)),
        ((3,), (3, 6, 6)),
        ((3, 2), (5, 6, 3)),
        ((2, 2), (6, 6, 2)),
    ],
)
def test_every_head_attends_by_itself(compare, rng, batch, sizes):
    """The root of the wrong width, one head for all, or no last product fits one head only."""
    n, d_model, num_heads = sizes

    layer_of(compare, d_model, num_heads, weights_of(rng, d_model))(drawn(rng, *batch, n, d_model))


@weight(4)
@pytest.mark.parametrize(
    ("batch", "rows"),
    [((), 5), ((2,), 1), ((2,), 5), ((3,), 1), ((3,), 5), ((5,), 5), ((2, 3), 1)],
)
def test_one_mask_for_all_heads(compare, rng, batch, rows):
    """The head axis is inserted: at as many sequences as heads, masks and heads stay apart."""
    layer = layer_of(compare, 6, 3, weights_of(rng, 6))

    layer(drawn(rng, *batch, 5, 6), mask=hides_some(rng, batch, rows, 5))


@weight(2)
def test_a_mask_without_batch_is_for_every_sequence(compare, rng):
    """(n, n) hides the future of every sequence in every head."""
    layer = layer_of(compare, 6, 3, weights_of(rng, 6))

    layer(drawn(rng, 3, 5, 6), torch.ones(5, 5).tril().bool())


@weight(2)
def test_padding_is_not_looked_at(student, rng):
    """What stands after the end of a sequence changes nothing before it."""
    x, lengths = drawn(rng, 3, 5, 6), [5, 3, 1]
    mask = torch.arange(5) < torch.tensor(lengths)[:, None, None]
    layer = layer_of(student, 6, 3, weights_of(rng, 6))
    other = x.clone()
    for one, length in zip(other, lengths, strict=True):
        one[length:] = drawn(rng, 5 - length, 6)

    before, after = layer(x, mask=mask), layer(other, mask=mask)

    for one, two, length in zip(before, after, lengths, strict=True):
        assert torch.allclose(one[:length], two[:length]), (
            "With other padding, real tokens get other outputs. "
            "Does the mask reach the scores, and is it their keys that it hides?"
        )


@weight(2)
def test_the_output_follows_the_order_of_the_tokens(student, rng):
    """Tokens in another order give the same outputs in that order: attention sees no places."""
    x, order = drawn(rng, 6, 8), torch.arange(6).roll(int(rng.integers(1, 6)))
    layer = layer_of(student, 8, 2, weights_of(rng, 8))

    before, after = layer(x), layer(x[order])

    assert not torch.allclose(before[:1], before), (
        "Different tokens all get the same output. What of a query is left in it?"
    )
    assert torch.allclose(before[order], after), (
        "The same tokens in another order do not give the same outputs in that order. "
        "Does each head get all tokens, and each token all its columns back?"
    )


@weight(3)
@pytest.mark.parametrize("masked", [False, True])
def test_agrees_with_torch(student, rng, masked):
    """torch.nn.MultiheadAttention gives the same for the same weights, transposed."""
    weights, x = weights_of(rng, 6), drawn(rng, 2, 5, 6)
    mask = hides_some(rng, (2,), 1, 5) if masked else None
    theirs = nn.MultiheadAttention(6, 3, bias=False, batch_first=True, dtype=torch.float64)
    stacked = torch.cat([weights[name].T for name in NAMES[:3]])
    theirs.load_state_dict({"in_proj_weight": stacked, "out_proj.weight": weights["w_o"].T})

    mine = layer_of(student, 6, 3, weights)(x, mask=mask)

    ignored = None if mask is None else ~mask[:, 0]  # torch's own is True where a key is hidden
    expected, _ = theirs(x, x, x, key_padding_mask=ignored, need_weights=False)
    assert torch.allclose(mine, expected), (
        "torch's own multi-head attention gives another output for the same weights. "
        "With one head only, do the two agree? And with w_o the identity?"
    )


@weight(2)
@pytest.mark.parametrize("masked", [False, True])
def test_gradients_reach_tokens_and_weights(gradients, rng, masked):
    """Every weight gets a gradient, and a token that sees nothing spoils none of them."""
    mask = hides_some(rng, (2,), 5, 5)
    mask[0, int(rng.integers(5))] = False

    layer = layer_of(gradients, 6, 3, weights_of(rng, 6))

    layer(drawn(rng, 2, 5, 6), mask=mask if masked else None)


@weight(2)
def test_who_sees_nothing_gets_nothing(compare, rng):
    """A sequence of length 0 has the output 0, and the others are as ever."""
    lengths = torch.from_numpy(rng.permutation([0, 2, 5]))

    layer = layer_of(compare, 6, 3, weights_of(rng, 6))

    layer(drawn(rng, 3, 5, 6), mask=torch.arange(5) < lengths[:, None, None])


@weight(2)
@pytest.mark.parametrize("dtype", [torch.float32, torch.bfloat16], ids=str)
def test_the_dtype_of_the_inputs(compare, rng, dtype):
    """Narrow tokens and weights give a narrow output."""
    weights = {name: one.to(dtype) for name, one in weights_of(rng, 6).items()}

    layer = layer_of(compare, 6, 3, weights)

    layer(drawn(rng, 2, 5, 6).to(dtype), mask=hides_some(rng, (2,), 1, 5))


@pytest.mark.parametrize("who", ["split", "merge", "layer"])
def test_arguments_are_left_as_they_were(unmodified, rng, who):
    """Whoever calls still finds the same numbers, and the same mask."""
    if who == "split":
        unmodified.split_heads(drawn(rng, 5, 6), 3)
    elif who == "merge":
        unmodified.merge_heads(drawn(rng, 3, 5, 2))
    else:
        layer = layer_of(unmodified, 6, 3, weights_of(rng, 6))
        layer(drawn(rng, 2, 5, 6), mask=hides_some(rng, (2,), 5, 5))
