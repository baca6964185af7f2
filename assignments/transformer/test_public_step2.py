"""Public checks of step 2: attention under a mask."""

import pytest
import torch

pytestmark = pytest.mark.question("masked_attention")


def attend(student, q, k, v, mask=None):
    """The student's output and weights, after a look at how many there are and of which shape."""
    answer = student.scaled_dot_product_attention(q, k, v, mask)
    assert isinstance(answer, (tuple, list)), (
        f"expected output, weights, got one {type(answer).__name__}"
    )
    assert len(answer) == 2, f"expected output, weights, got {len(answer)} results"
    for name, got, width in zip(
        ("output", "weights"), answer, (v.shape[-1], k.shape[-2]), strict=True
    ):
        expected = (*q.shape[:-1], width)
        assert got.shape == expected, f"{name} has shape {tuple(got.shape)}, not {expected}"
        assert got.dtype == q.dtype, f"{name} holds {got.dtype}, the inputs hold {q.dtype}"
    return answer


@pytest.mark.weight(2)
def test_the_paper_example_of_step_2(student):
    """The example of the README comes out as on paper, zeros for the blind query included."""
    q = torch.tensor([[1.0, 1.0, 0.0, 0.0], [0.0, 2.0, 0.0, 0.0]])
    k = torch.tensor([[2.0, 0.0, 0.0, 0.0], [0.0, 2.0, 0.0, 0.0], [2.0, 2.0, 0.0, 0.0]])
    v = torch.tensor([[10.0], [20.0], [30.0]])
    mask = torch.tensor([[True, False, True], [False, False, False]])

    output, weights = attend(student, q, k, v, mask)

    expected = torch.tensor([[0.2689, 0.0, 0.7311], [0.0, 0.0, 0.0]])
    assert torch.allclose(weights, expected, atol=1e-4), f"expected {expected}, got {weights}"
    expected = torch.tensor([[24.621], [0.0]])
    assert torch.allclose(output, expected, atol=1e-2), f"expected {expected}, got {output}"


@pytest.mark.weight(3)
@pytest.mark.parametrize("batch", [(), (2,), (2, 3)])
def test_public_agreement_with_torch(student, batch):
    """torch's own function gives the same output, with a boolean mask and without one."""
    generator = torch.Generator().manual_seed(1)
    q, k, v = (
        torch.randn(*batch, n, width, generator=generator, dtype=torch.float64)
        for n, width in ((5, 3), (4, 3), (4, 2))
    )
    future = torch.tensor([[j <= i for j in range(4)] for i in range(5)])

    for mask in (None, future):
        output, _ = attend(student, q, k, v, mask)
        expected = torch.nn.functional.scaled_dot_product_attention(q, k, v, attn_mask=mask)
        assert torch.allclose(output, expected), (
            f"with mask {mask} torch's output is\n{expected}\nand yours\n{output}"
        )


@pytest.mark.weight(3)
@pytest.mark.parametrize("score", [0.0, -20000.0, 20000.0])
def test_hidden_keys_have_no_weight_whatever_they_score(student, score):
    """Two keys of three are seen; the hidden one may score anything."""
    q, k = torch.tensor([[1.0, 0.5]]), torch.tensor([[0.0, 1.0], [0.0, 3.0], [0.0, 0.0]])
    k[2, 0] = score
    v = torch.tensor([[1.0], [2.0], [400.0]])

    output, weights = attend(student, q, k, v, torch.tensor([[True, True, False]]))

    assert weights[0, 2] == 0, f"the hidden key has weight {weights[0, 2]:.4g}"
    assert torch.isclose(weights.sum(), torch.tensor(1.0)), f"the weights sum to {weights.sum()}"
    alone, _ = attend(student, q, k[:2], v[:2])
    assert torch.allclose(output, alone), (
        f"without the hidden key the output is {alone.item():.4f}, with it {output.item():.4f}"
    )


@pytest.mark.weight(2)
def test_a_query_that_sees_nothing_gets_zeros(student):
    """Zeros, not NaN, and the other queries are as ever."""
    generator = torch.Generator().manual_seed(2)
    q, k, v = (torch.randn(3, 2, generator=generator) for _ in range(3))
    mask = torch.tensor([[True, True, False], [False, False, False], [True, True, True]])

    output, weights = attend(student, q, k, v, mask)

    assert torch.isfinite(weights).all(), f"the weights are\n{weights}"
    assert torch.isfinite(output).all(), f"the output is\n{output}"
    sums = weights.sum(dim=-1)
    assert torch.allclose(sums, torch.tensor([1.0, 0.0, 1.0])), (
        f"the rows sum to {sums}, not to 1 where something is seen and 0 where nothing is"
    )
