"""Step 5: both parts of a block only add to what comes in."""

import pytest
import torch
from torch import nn

from autograder.grading import question, weight

pytestmark = question("block")

WHAT = ("weight", "bias")  # of a norm


def drawn(rng, *shape):
    """Random numbers in double precision."""
    return torch.from_numpy(rng.normal(size=shape))


def network_weights(rng, d_model, d_hidden):
    """Random weights of a feed-forward network, by name."""
    return {
        "w_1": drawn(rng, d_model, d_hidden) / d_model**0.5,
        "b_1": drawn(rng, d_hidden),
        "w_2": drawn(rng, d_hidden, d_model) / d_hidden**0.5,
        "b_2": drawn(rng, d_model),
    }


def block_weights(rng, d_model, d_hidden):
    """Random weights of a block, by name; the norms' are not what they begin with."""
    weights = {}
    for norm in ("norm_1", "norm_2"):
        weights[f"{norm}.weight"] = 1 + drawn(rng, d_model) / 2
        weights[f"{norm}.bias"] = drawn(rng, d_model)
    for name in ("w_q", "w_k", "w_v", "w_o"):
        weights[f"attention.{name}"] = drawn(rng, d_model, d_model) / d_model**0.5
    network = network_weights(rng, d_model, d_hidden)
    return weights | {f"feed_forward.{name}": one for name, one in network.items()}


def network_of(calls, rng, d_model, d_hidden):
    """`calls.FeedForward` of these sizes, with random weights."""
    layer = calls.FeedForward(d_model, d_hidden)
    layer.load_state_dict(network_weights(rng, d_model, d_hidden))
    return layer


def block_of(calls, rng, d_model, num_heads, d_hidden, dtype=torch.float64):
    """`calls.EncoderBlock` of these sizes, with random weights."""
    layer = calls.EncoderBlock(d_model, num_heads, d_hidden)
    weights = block_weights(rng, d_model, d_hidden)
    layer.load_state_dict({name: one.to(dtype) for name, one in weights.items()})
    return layer


def torchs_own(weights, d_model, num_heads, d_hidden):
    """torch's encoder layer with the same weights, which it keeps transposed."""
    layer = nn.TransformerEncoderLayer(
        d_model, num_heads, d_hidden, dropout=0.0, batch_first=True, norm_first=True
    ).double()
    part = "attention.w_"
    layer.load_state_dict(
        {
            "self_attn.in_proj_weight": torch.cat([weights[part + one].T for one in "qkv"]),
            "self_attn.in_proj_bias": torch.zeros(3 * d_model),
            "self_attn.out_proj.weight": weights[part + "o"].T,
            "self_attn.out_proj.bias": torch.zeros(d_model),
            "linear1.weight": weights["feed_forward.w_1"].T,
            "linear1.bias": weights["feed_forward.b_1"],
            "linear2.weight": weights["feed_forward.w_2"].T,
            "linear2.bias": weights["feed_forward.b_2"],
            **{f"norm{i}.{what}": weights[f"norm_{i}.{what}"] for i in "12" for what in WHAT},
        }
    )
    return layer


@weight(3)
@pytest.mark.parametrize(
    ("batch", "sizes"),
    [((), (6, 10)), ((), (3, 1)), ((2,), (5, 3)), ((4,), (4, 4)), ((4, 2), (6, 10))],
)
def test_two_layers_with_a_relu_between(compare, rng, batch, sizes):
    """Wider or narrower inside, the width that comes in goes out."""
    network_of(compare, rng, *sizes)(drawn(rng, *batch, 5, sizes[0]))


def test_every_token_is_worked_on_by_itself(student, rng):
    """A token among others comes out as it does alone."""
    x, network = drawn(rng, 5, 6), network_of(student, rng, 6, 10)

    together, alone = network(x), network(x[2:3])

    assert not torch.allclose(together[:1], together), (
        "Different tokens all come out the same. What of a token is left in its output?"
    )
    assert torch.allclose(together[2:3], alone), (
        "A token among others does not come out as it does alone. "
        "Which of your lines lets tokens see each other?"
    )


@pytest.mark.parametrize("who", ["network", "block"])
def test_parameters_by_name_and_shape(compare, who):
    """Weights are loaded by name, so names and shapes are part of the task."""
    if who == "network":
        compare.FeedForward(6, 10).state_dict()
    else:
        compare.EncoderBlock(6, 3, 10).state_dict()


@weight(3)
@pytest.mark.parametrize(
    ("batch", "sizes"),
    [
        ((), (6, 3, 10)),
        ((), (4, 1, 3)),
        ((2,), (8, 2, 8)),
        ((6,), (6, 6, 1)),
        ((3, 2), (6, 3, 10)),
    ],
)
def test_each_part_adds_to_what_came_in(compare, rng, batch, sizes):
    """A norm in another place, or a sum that is missing, has the right shape as well."""
    block_of(compare, rng, *sizes)(drawn(rng, *batch, 5, sizes[0]))


@weight(2)
@pytest.mark.parametrize("masked", [False, True])
def test_agrees_with_torch(student, rng, masked):
    """torch's encoder layer, with its norms first, gives the same for the same weights."""
    x, weights = drawn(rng, 2, 5, 6), block_weights(rng, 6, 10)
    mask = torch.ones(5, 5).tril().bool() if masked else None
    block = student.EncoderBlock(6, 3, 10)
    block.load_state_dict(weights)

    mine = block(x, mask=mask)

    hidden = None if mask is None else ~mask  # torch's own is True where a key is hidden
    expected = torchs_own(weights, 6, 3, 10)(x, src_mask=hidden)
    assert torch.allclose(mine, expected), (
        "torch's own encoder layer, with its norms first, gives another output for the same "
        "weights. With the attention's weights all zero, do the two agree?"
    )


@weight(2)
def test_parts_that_give_nothing_leave_the_tokens(student, rng):
    """With the last weights of both parts at zero, every token comes out as it came in."""
    x, weights = drawn(rng, 2, 5, 6), block_weights(rng, 6, 10)
    for name in ("attention.w_o", "feed_forward.w_2", "feed_forward.b_2"):
        weights[name] = torch.zeros_like(weights[name])
    block = student.EncoderBlock(6, 3, 10)
    block.load_state_dict(weights)

    assert torch.allclose(block(x), x), (
        "Attention and network give nothing here, yet the tokens do not come out as they came in. "
        "What has a way past both parts, and is it normalised on that way?"
    )


@weight(2)
@pytest.mark.parametrize("rows", [1, 5])
@pytest.mark.parametrize("batch", [2, 3])
def test_the_mask_reaches_the_attention(compare, rng, batch, rows):
    """Padding and future stay hidden inside a block too."""
    order = rng.permuted(torch.arange(5).expand(batch, rows, 5).numpy(), axis=-1)
    mask = torch.from_numpy(order < rng.integers(1, 5, size=(batch, rows, 1)))

    block_of(compare, rng, 6, 3, 10)(drawn(rng, batch, 5, 6), mask=mask)


@weight(2)
@pytest.mark.parametrize("size", [1e-3, 1e3])
def test_tokens_of_any_size_are_normalised(compare, rng, size):
    """In tokens nearly at rest the small number under the root is seen, far out it is not."""
    block_of(compare, rng, 6, 3, 10)(size * drawn(rng, 2, 5, 6) + size)


@weight(2)
@pytest.mark.parametrize("who", ["network", "block"])
def test_gradients_reach_tokens_and_weights(gradients, rng, who):
    """Every weight gets a gradient, and so does what comes in."""
    if who == "network":
        network_of(gradients, rng, 6, 10)(drawn(rng, 5, 6))
    else:
        block_of(gradients, rng, 6, 3, 10)(drawn(rng, 2, 5, 6))


def test_a_width_that_cannot_be_shared_out_is_refused(refuses):
    """A block with heads of unequal width is an error."""
    refuses.EncoderBlock(7, 3, 10)


@pytest.mark.parametrize("dtype", [torch.float32, torch.bfloat16], ids=str)
def test_the_dtype_of_the_inputs(compare, rng, dtype):
    """Narrow tokens and weights give a narrow output."""
    block_of(compare, rng, 6, 3, 10, dtype)(drawn(rng, 2, 5, 6).to(dtype))


def test_on_a_gpu_as_on_a_cpu(compare, device, rng):
    """Where there is a GPU, it gives the same there, attention and masks included."""
    block = compare.EncoderBlock(6, 3, 10)
    weights = block_weights(rng, 6, 10)
    block.load_state_dict({name: device.tensor(one.numpy()) for name, one in weights.items()})

    block(device.tensor(rng.normal(size=(2, 5, 6))), mask=torch.ones(5, 5).tril().bool())


@pytest.mark.parametrize("who", ["network", "block"])
def test_arguments_are_left_as_they_were(unmodified, rng, who):
    """Whoever calls still finds the same tokens."""
    if who == "network":
        network_of(unmodified, rng, 6, 10)(drawn(rng, 5, 6))
    else:
        block_of(unmodified, rng, 6, 3, 10)(drawn(rng, 2, 5, 6))
