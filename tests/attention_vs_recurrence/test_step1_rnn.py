"""Step 1: h_t is made from x_t and from the state before it."""

import numpy as np
import pytest
import torch

from autograder.grading import question, weight

pytestmark = question("rnn")


def tokens_and_weights(rng, n, d_in, d_h, batch=()):
    """Random x (*batch, n, d_in), w_x, w_h and b; the states are neither small nor saturated."""
    x = rng.normal(size=(*batch, n, d_in))
    w_x = rng.normal(size=(d_in, d_h)) / np.sqrt(d_in)
    w_h = rng.normal(size=(d_h, d_h)) / np.sqrt(d_h)
    return [torch.from_numpy(a) for a in (x, w_x, w_h, rng.normal(size=d_h) / 2)]


@weight(3)
@pytest.mark.parametrize("sizes", [(5, 3, 4), (7, 6, 2), (1, 3, 5), (2, 1, 3), (4, 4, 4)])
def test_every_size_may_differ_from_every_other(compare, rng, sizes):
    """A matrix transposed, exchanged or forgotten fits square sizes only, with other values."""
    compare.rnn_states(*tokens_and_weights(rng, *sizes))


@weight(2)
def test_a_state_hears_the_tokens_so_far(student, rng):
    """Another token changes its own state and all later ones, and none before it."""
    x, *weights = tokens_and_weights(rng, 7, 3, 4)
    other = x.clone()
    other[3] = -x[3]

    one, another = student.rnn_states(x, *weights), student.rnn_states(other, *weights)

    assert torch.allclose(one[:3], another[:3]), (
        "Another token changes states that came before it. In which order are the tokens read?"
    )
    for state, changed in zip(one[3:], another[3:], strict=True):
        assert not torch.allclose(state, changed), (
            "A token is changed, but its own state or a later one is not. "
            "What does each state hear of the one before it?"
        )


@weight(2)
@pytest.mark.parametrize("batch", [(1,), (2,), (3, 2), (5,), (2, 1, 3)])
def test_any_number_of_batch_axes(compare, device, rng, batch):
    """Each sequence is read by itself, also where the batch is as large as another axis."""
    given = tokens_and_weights(rng, 5, 3, 4, batch)

    compare.rnn_states(*(device.tensor(one.numpy()) for one in given))


@weight(3)
@pytest.mark.parametrize("n", [2, 6])
def test_gradients_come_back_through_every_step(gradients, rng, n):
    """What the first token said is learnt from the last state: no step leaves the graph."""
    gradients.rnn_states(*tokens_and_weights(rng, n, 3, 4))


def test_the_way_back_is_as_long_as_the_text(probe, rng):
    """The path of gradients crosses one more step for each token: the lesson's path length."""
    short, long, longer = (probe.rnn_states(*tokens_and_weights(rng, n, 3, 4)) for n in (4, 8, 16))

    assert short.depth < long.depth < longer.depth, (
        "From the last state, the longest way back through your computation does not get longer "
        "with the text. Does a gradient get from each state to the one before it?"
    )


def test_work_grows_with_the_tokens_and_no_faster(probe, rng):
    """Each token costs the same: as many operations and multiplications for each of them."""
    short, long, longer = (
        probe.rnn_states(*tokens_and_weights(rng, n, 16, 16)) for n in (10, 20, 30)
    )

    assert short.operations < long.operations < longer.operations, (
        "Twice as many tokens do not take more operations. A state cannot be computed before the "
        "one before it: where is your loop over time?"
    )
    bend = abs(longer.flops - 2 * long.flops + short.flops)
    assert bend < 0.05 * short.flops, (
        "Each further token costs more multiplications than the one before it. "
        "What do you compute again that you had already?"
    )


def test_work_grows_with_the_square_of_the_width(probe, rng):
    """A state twice as wide costs four times the multiplications: one product by W_h a token."""
    narrow, wide = (probe.rnn_states(*tokens_and_weights(rng, 6, d, d)) for d in (32, 64))

    assert 3 * narrow.flops < wide.flops < 5 * narrow.flops, (  # none are counted in NumPy
        "States twice as wide do not cost four times the multiplications. "
        "Which products does one step consist of?"
    )


@pytest.mark.parametrize("dtype", [torch.float32, torch.bfloat16])
def test_the_dtype_is_that_of_the_tokens(compare, rng, dtype):
    """Narrow tokens and weights give narrow states: h_0 has no dtype of its own."""
    compare.rnn_states(*(a.to(dtype) for a in tokens_and_weights(rng, 5, 3, 4)))


def test_arguments_are_left_as_they_were(unmodified, rng):
    """Whoever calls the function still finds the same numbers in its arguments."""
    unmodified.rnn_states(*tokens_and_weights(rng, 5, 3, 4))
