"""Step 2: attention under a mask; what is hidden does not exist."""

import pytest
import torch
from torch.nn import functional

from autograder.grading import question, weight

pytestmark = question("masked_attention")


def drawn(rng, *shape):
    """Random numbers in double precision."""
    return torch.from_numpy(rng.normal(size=shape))


def given(rng, n_q, n_k, d_k, d_v, batch=()):
    """Random q (*batch, n_q, d_k), k (*batch, n_k, d_k) and v (*batch, n_k, d_v)."""
    sizes = ((n_q, d_k), (n_k, d_k), (n_k, d_v))
    return [drawn(rng, *batch, *size) for size in sizes]


def a_mask(rng, *shape):
    """A random mask in which every row has at least one True and, with two keys, one False."""
    order = rng.permuted(torch.arange(shape[-1]).expand(shape).numpy(), axis=-1)
    seen = rng.integers(1, max(shape[-1], 2), size=(*shape[:-1], 1))
    return torch.from_numpy(order < seen)


@weight(2)
@pytest.mark.parametrize(
    "sizes", [(5, 4, 3, 2), (2, 7, 8, 3), (1, 3, 5, 6), (4, 1, 3, 2), (6, 5, 2, 5), (4, 4, 4, 4)]
)
def test_without_a_mask_every_key_is_seen(compare, rng, sizes):
    """The root of the wrong width, or another axis for the softmax, fits one special size only."""
    compare.scaled_dot_product_attention(*given(rng, *sizes))


@weight(3)
@pytest.mark.parametrize("sizes", [(5, 4, 3, 2), (2, 7, 8, 3), (1, 3, 5, 6), (4, 4, 4, 4)])
@pytest.mark.parametrize("rows", ["a row a query", "one row for all"])
def test_a_hidden_key_has_no_weight(compare, rng, sizes, rows):
    """Weight goes to visible keys only, and each row of it still sums to one."""
    n_q, n_k = sizes[:2]

    mask = a_mask(rng, n_q if rows == "a row a query" else 1, n_k)

    compare.scaled_dot_product_attention(*given(rng, *sizes), mask)


@weight(2)
def test_a_hidden_key_might_as_well_not_be_there(student, rng):
    """Without the hidden keys and their values, output and visible weights are the same."""
    q, k, v = given(rng, 4, 6, 3, 2)
    seen = torch.from_numpy(rng.permutation(6) < 4)

    output, weights = student.scaled_dot_product_attention(q, k, v, seen.expand(4, 6).clone())
    alone, their_weights = student.scaled_dot_product_attention(q, k[seen], v[seen])

    assert torch.allclose(weights[:, seen], their_weights), (
        "Beside hidden keys the visible ones do not share the weight as they would alone. "
        "What does a hidden key add to the sum that everything is divided by?"
    )
    assert torch.allclose(output, alone), (
        "Hidden keys change the output. What is left of their values in it?"
    )


@weight(2)
@pytest.mark.parametrize("batch", [(), (2,), (3, 2)])
def test_agrees_with_torch(student, rng, batch):
    """torch's own function gives the same output for the same boolean mask."""
    q, k, v = given(rng, 5, 4, 3, 2, batch)
    mask = a_mask(rng, *batch, 5, 4)

    output, weights = student.scaled_dot_product_attention(q, k, v, mask)

    expected = functional.scaled_dot_product_attention(q, k, v, attn_mask=mask)
    assert torch.allclose(output, expected), (
        "For a boolean mask, torch's own scaled_dot_product_attention gives another output. "
        "Compare the two on a tiny case: which weights differ first?"
    )
    assert torch.allclose(weights @ v, expected), (
        "Your weights, times the values, do not give what torch's own function gives. "
        "Are the weights that you return those that you mix the values with?"
    )


@weight(2)
@pytest.mark.parametrize("blind", [[0], [2, 4], [0, 1, 2, 3, 4]])
def test_who_sees_nothing_gets_nothing(compare, rng, blind):
    """A query without a visible key has weights 0 and output 0; the others are as ever."""
    q, k, v = given(rng, 5, 4, 3, 2)
    mask = a_mask(rng, 5, 4)
    mask[blind] = False

    compare.scaled_dot_product_attention(q, k, v, mask)


@pytest.mark.parametrize("dtype", [torch.float64, torch.float32], ids=str)
def test_an_empty_sequence_disturbs_no_other(compare, rng, dtype):
    """In a batch, a sequence of length 0 gives zeros, and the others what they give alone."""
    q, k, v = (one.to(dtype) for one in given(rng, 5, 5, 3, 2, (3, 2)))
    lengths = torch.from_numpy(rng.permutation([0, 3, 5]))

    mask = torch.arange(5) < lengths[:, None, None, None]  # (batch, 1, 1, n)

    compare.scaled_dot_product_attention(q, k, v, mask)


@weight(2)
@pytest.mark.parametrize("seen", ["all", "some", "nothing by one", "nothing by any"])
def test_gradients_flow_and_stay_finite(gradients, rng, seen):
    """Gradients reach q, k and v, and where there is nothing to see they are 0, never NaN."""
    q, k, v = given(rng, 5, 4, 3, 2)
    if seen == "all":
        gradients.scaled_dot_product_attention(q, k, v)
        return
    mask = a_mask(rng, 5, 4)
    if seen == "nothing by one":
        mask[int(rng.integers(5))] = False
    if seen == "nothing by any":
        mask[:] = False

    gradients.scaled_dot_product_attention(q, k, v, mask)


@weight(2)
@pytest.mark.parametrize("size", [-20000, 2000, 20000])
def test_scores_of_any_size_on_either_side(compare, rng, size):
    """Visible scores far below hidden ones, or hidden ones far above, change nothing."""
    q, k, v = given(rng, 4, 6, 3, 2)
    hidden = torch.from_numpy(rng.permutation(6) < 3)
    q[:, 0], k[:, 0] = 1, 0
    k[hidden if size > 0 else ~hidden, 0] = float(size)

    compare.scaled_dot_product_attention(q, k, v, (~hidden).expand(4, 6).clone())


@weight(2)
def test_a_visible_score_of_zero_stays_visible(compare, rng):
    """A query at right angles to a key scores 0 with it, which is a score like any other."""
    q, k, v = given(rng, 4, 5, 3, 2)
    mask = a_mask(rng, 4, 5)
    mask[:, int(rng.integers(5))] = True
    q[int(rng.integers(4))] = 0

    compare.scaled_dot_product_attention(q, k, v, mask)


@weight(2)
@pytest.mark.parametrize(
    ("batch", "mask"),
    [
        ((1,), (1, 1, 4)),
        ((3,), (3, 5, 4)),
        ((3,), (3, 1, 4)),
        ((3, 2), (3, 1, 5, 4)),
        ((3, 2), (3, 1, 1, 4)),
        ((3, 2), (5, 4)),
        ((5, 5), (5, 1, 1, 4)),
        ((2, 1, 3), (2, 1, 1, 1, 4)),
    ],
)
def test_any_number_of_batch_axes(compare, rng, batch, mask):
    """A mask is broadcast against the scores, whichever batch axes both have."""
    compare.scaled_dot_product_attention(*given(rng, 5, 4, 3, 2, batch), a_mask(rng, *mask))


@weight(2)
@pytest.mark.parametrize("dtype", [torch.float32, torch.bfloat16, torch.float16], ids=str)
def test_the_dtype_of_the_inputs(compare, rng, dtype):
    """Narrow numbers stay narrow, and what stands for hidden fits in each of them."""
    q, k, v = (one.to(dtype) for one in given(rng, 5, 4, 3, 2, (2,)))

    compare.scaled_dot_product_attention(q, k, v, a_mask(rng, 2, 5, 4))


def test_on_any_device(portable, rng):
    """Whatever is made on the way is made where the inputs are."""
    portable.scaled_dot_product_attention(*given(rng, 5, 4, 3, 2), a_mask(rng, 5, 4))


def test_on_a_gpu_as_on_a_cpu(compare, device, rng):
    """Where there is a GPU, it gives the same there."""
    q, k, v = (device.tensor(one.numpy()) for one in given(rng, 5, 4, 3, 2, (2,)))

    compare.scaled_dot_product_attention(q, k, v, a_mask(rng, 2, 1, 4))


def test_arguments_are_left_as_they_were(unmodified, rng):
    """Whoever calls the function still finds the same numbers, and the same mask."""
    unmodified.scaled_dot_product_attention(*given(rng, 5, 4, 3, 2), a_mask(rng, 5, 4))
