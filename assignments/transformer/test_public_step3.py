"""Public checks of step 3: several heads."""

import pytest
import torch

pytestmark = pytest.mark.question("multi_head")


def drawn(seed, *shape):
    """Random numbers, always the same."""
    return torch.randn(*shape, generator=torch.Generator().manual_seed(seed))


@pytest.mark.weight(2)
def test_the_paper_example_of_split_and_merge(student):
    """The example of the README comes out as on paper, there and back."""
    x = torch.tensor([[1.0, 2.0, 3.0, 4.0], [5.0, 6.0, 7.0, 8.0]])

    heads = student.split_heads(x, 2)

    assert heads.shape == (2, 2, 2), f"the heads have shape {tuple(heads.shape)}, not (2, 2, 2)"
    expected = [[[1.0, 2.0], [5.0, 6.0]], [[3.0, 4.0], [7.0, 8.0]]]
    assert heads.tolist() == expected, f"expected {expected}, got {heads.tolist()}"
    merged = student.merge_heads(torch.tensor(expected))
    assert merged.shape == x.shape, f"merged they have shape {tuple(merged.shape)}, not (2, 4)"
    assert torch.equal(merged, x), f"merged again they are {merged.tolist()}"


@pytest.mark.weight(3)
@pytest.mark.parametrize("batch", [(), (2,), (2, 3)])
def test_each_head_has_its_columns_of_every_token(student, batch):
    """Head h of token i is a slice of row i, and merging puts the slices back."""
    x = drawn(3, *batch, 5, 6)

    heads = student.split_heads(x, 3)

    assert heads.shape == (*batch, 3, 5, 2), (
        f"the heads have shape {tuple(heads.shape)}, not {(*batch, 3, 5, 2)}"
    )
    for h in range(3):
        for i in range(5):
            own = heads[..., h, i, :]
            assert torch.equal(own, x[..., i, 2 * h : 2 * h + 2]), (
                f"head {h} of token {i} is not columns {2 * h} and {2 * h + 1} of row {i}"
            )
    merged = student.merge_heads(heads.clone())
    assert merged.shape == x.shape, (
        f"merged they have shape {tuple(merged.shape)}, not {tuple(x.shape)}"
    )
    assert torch.equal(merged, x), "split and merged again, tokens are not what they were"


@pytest.mark.weight(3)
def test_the_paper_example_of_the_layer(student):
    """The example of the README comes out as on paper."""
    picks_first = torch.tensor([[1.0, 0.0], [0.0, 0.0]])
    layer = student.MultiHeadAttention(2, 2)
    layer.load_state_dict(
        {
            "w_q": picks_first,
            "w_k": picks_first,
            "w_v": torch.eye(2),
            "w_o": torch.tensor([[0.0, 1.0], [1.0, 0.0]]),
        }
    )

    output = layer(torch.tensor([[2.0, 0.0], [0.0, 4.0]]))

    assert isinstance(output, torch.Tensor), f"expected a tensor, got {type(output).__name__}"
    expected = torch.tensor([[2.0, 1.964], [2.0, 1.0]])
    assert output.shape == (2, 2), f"the output has shape {tuple(output.shape)}, not (2, 2)"
    assert torch.allclose(output, expected, atol=1e-3), f"expected {expected}, got {output}"


@pytest.mark.weight(4)
@pytest.mark.parametrize("masked", [False, True])
def test_public_agreement_with_torchs_layer(student, masked):
    """torch.nn.MultiheadAttention, with its weights transposed, gives the same output."""
    w_q, w_k, w_v, w_o = drawn(4, 4, 6, 6)
    x, lengths = drawn(5, 3, 5, 6), torch.tensor([5, 3, 1])
    seen = torch.arange(5)[None, :] < lengths[:, None]  # (batch, n)
    theirs = torch.nn.MultiheadAttention(6, 3, bias=False, batch_first=True)
    theirs.load_state_dict(
        {"in_proj_weight": torch.cat([w_q.T, w_k.T, w_v.T]), "out_proj.weight": w_o.T}
    )
    layer = student.MultiHeadAttention(6, 3)
    layer.load_state_dict({"w_q": w_q, "w_k": w_k, "w_v": w_v, "w_o": w_o})

    output = layer(x, mask=seen[:, None, :] if masked else None)

    expected, _ = theirs(x, x, x, key_padding_mask=~seen if masked else None)
    assert output.shape == x.shape, f"the output has shape {tuple(output.shape)}, not (3, 5, 6)"
    assert torch.allclose(output, expected, atol=1e-4), (
        f"torch's output for the first token is\n{expected[0, 0]}\nand yours\n{output[0, 0]}"
    )


@pytest.mark.weight(3)
def test_one_mask_for_each_sequence(student):
    """As many sequences as heads, each with a length of its own: each as it is alone."""
    x, lengths = drawn(6, 3, 5, 6), [5, 3, 1]
    layer = student.MultiHeadAttention(6, 3)
    names = ("w_q", "w_k", "w_v", "w_o")
    layer.load_state_dict({name: drawn(seed, 6, 6) for seed, name in enumerate(names, start=7)})
    mask = torch.arange(5) < torch.tensor(lengths)[:, None, None]

    together = layer(x, mask=mask)

    assert together.shape == x.shape, f"the output has shape {tuple(together.shape)}, not (3, 5, 6)"
    fewer = layer(x[0], mask=mask[1])
    assert not torch.allclose(together[0, 0], fewer[0]), (
        "a token gets the same output from five tokens as from three of them"
    )
    for b, length in enumerate(lengths):
        alone = layer(x[b, :length])
        assert torch.allclose(together[b, :length], alone, atol=1e-4), (
            f"sequence {b} has {length} tokens; beside padding they get other outputs than alone"
        )
