"""Public checks of step 5: the encoder block."""

import pytest
import torch

pytestmark = pytest.mark.question("block")


def drawn(generator, *shape):
    """Random numbers in single precision."""
    return torch.randn(*shape, generator=generator)


def weights_of_a_block(generator, d_model, d_hidden):
    """Random weights by the names that a block has."""
    square, norm = (d_model, d_model), (d_model,)
    shapes = {
        **{f"norm_{i}.{what}": norm for i in (1, 2) for what in ("weight", "bias")},
        **{f"attention.w_{one}": square for one in "qkvo"},
        "feed_forward.w_1": (d_model, d_hidden),
        "feed_forward.b_1": (d_hidden,),
        "feed_forward.w_2": (d_hidden, d_model),
        "feed_forward.b_2": (d_model,),
    }
    return {name: drawn(generator, *shape) / 2 for name, shape in shapes.items()}


@pytest.mark.weight(2)
def test_the_paper_example_of_the_network(student):
    """The example of the README comes out as on paper."""
    network = student.FeedForward(2, 3)
    network.load_state_dict(
        {
            "w_1": torch.tensor([[1.0, 0.0, -1.0], [0.0, 1.0, -1.0]]),
            "b_1": torch.tensor([0.0, -1.0, 1.0]),
            "w_2": torch.tensor([[1.0, 2.0], [3.0, 4.0], [5.0, 6.0]]),
            "b_2": torch.tensor([1.0, 0.0]),
        }
    )

    output = network(torch.tensor([[1.0, 2.0]]))

    assert output.shape == (1, 2), f"the output has shape {tuple(output.shape)}, not (1, 2)"
    expected = torch.tensor([[5.0, 6.0]])
    assert torch.allclose(output, expected), f"expected {expected}, got {output}"


@pytest.mark.weight(3)
def test_the_paper_example_of_the_block(student):
    """The example of the README comes out as on paper."""
    block = student.EncoderBlock(2, 1, 1)
    block.load_state_dict(
        {
            **{f"norm_{i}.weight": torch.ones(2) for i in (1, 2)},
            **{f"norm_{i}.bias": torch.zeros(2) for i in (1, 2)},
            **{f"attention.w_{one}": torch.eye(2) for one in "qkvo"},
            "feed_forward.w_1": torch.tensor([[0.0], [2.0]]),
            "feed_forward.b_1": torch.tensor([0.0]),
            "feed_forward.w_2": torch.tensor([[1.0, 0.0]]),
            "feed_forward.b_2": torch.tensor([0.0, 0.0]),
        }
    )

    output = block(torch.tensor([[1.0, 3.0]]))

    assert output.shape == (1, 2), f"the output has shape {tuple(output.shape)}, not (1, 2)"
    expected = torch.tensor([[2.0, 4.0]])
    assert torch.allclose(output, expected, atol=1e-3), f"expected {expected}, got {output}"


@pytest.mark.weight(4)
@pytest.mark.parametrize("masked", [False, True])
def test_public_agreement_with_torchs_block(student, masked):
    """torch.nn.TransformerEncoderLayer, its norms first, gives the same output."""
    generator = torch.Generator().manual_seed(8)
    weights, x = weights_of_a_block(generator, 6, 10), drawn(generator, 2, 5, 6)
    seen = torch.ones(5, 5).tril().bool() if masked else None
    theirs = torch.nn.TransformerEncoderLayer(
        6, 3, dim_feedforward=10, dropout=0.0, batch_first=True, norm_first=True
    )
    state = {
        "self_attn.in_proj_weight": torch.cat([weights[f"attention.w_{one}"].T for one in "qkv"]),
        "self_attn.in_proj_bias": torch.zeros(18),
        "self_attn.out_proj.weight": weights["attention.w_o"].T,
        "self_attn.out_proj.bias": torch.zeros(6),
    }
    for i in (1, 2):
        state[f"linear{i}.weight"] = weights[f"feed_forward.w_{i}"].T
        state[f"linear{i}.bias"] = weights[f"feed_forward.b_{i}"]
        state[f"norm{i}.weight"] = weights[f"norm_{i}.weight"]
        state[f"norm{i}.bias"] = weights[f"norm_{i}.bias"]
    theirs.load_state_dict(state)
    block = student.EncoderBlock(6, 3, 10)
    block.load_state_dict(weights)

    output = block(x, mask=seen)

    assert output.shape == x.shape, f"the output has shape {tuple(output.shape)}, not (2, 5, 6)"
    expected = theirs(x, src_mask=None if seen is None else ~seen)
    assert torch.allclose(output, expected, atol=1e-4), (
        f"torch's output for the last token is\n{expected[1, 4]}\nand yours\n{output[1, 4]}"
    )
