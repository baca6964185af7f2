"""Public checks of step 5: what wide keys do to the softmax."""

import math

import pytest
import torch

pytestmark = [pytest.mark.question("scaling"), pytest.mark.weight(2)]


def test_the_paper_example_of_step_5(student):
    """The example of the README comes out as on paper."""
    for scores, entry in (([0.0, math.log(3)], 0.1875), ([0.0, math.log(99)], 0.0099)):
        found = student.softmax_gradient(torch.tensor(scores))

        assert tuple(found.shape) == (2, 2), (
            f"the result has shape {tuple(found.shape)}, not (2, 2)"
        )
        expected = torch.tensor([[entry, -entry], [-entry, entry]])
        assert torch.allclose(found, expected, atol=1e-5), f"expected {expected}, got {found}"


@pytest.mark.parametrize("d_k", [4, 64])
def test_public_spread_of_random_scores(student, d_k):
    """A score of d_k random products has variance d_k; divided by the root of d_k it has 1."""
    answer = student.score_variance(d_k, 20_000, torch.Generator().manual_seed(d_k))

    assert isinstance(answer, (tuple, list)), (
        f"expected raw, scaled, got one {type(answer).__name__}"
    )
    assert len(answer) == 2, f"expected raw, scaled, got {len(answer)} results"
    for name, got, expected in zip(("raw", "scaled"), answer, (d_k, 1), strict=True):
        assert isinstance(got, float), f"{name} is no float but a {type(got).__name__}"
        assert abs(got - expected) < 0.1 * expected, (
            f"d_k = {d_k}: {name} is {got:.4f}, expected a number near {expected}"
        )
        assert got != expected, f"{name} is exactly {got}: is that what was measured?"
