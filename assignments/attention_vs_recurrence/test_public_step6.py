"""Public checks of step 6: a test of equivariance that tells layers apart."""

import pytest
import torch

pytestmark = [pytest.mark.question("order"), pytest.mark.weight(2)]


def minus_the_mean(x):
    """Each token less the mean of all of them: no token has a place of its own."""
    return x - x.mean(dim=-2, keepdim=True)


def running_sum(x):
    """Each token plus all tokens before it: the order decides."""
    return x.cumsum(dim=-2)


def numbered(x):
    """Each token plus its place, as a positional encoding does it."""
    return x + 0.1 * torch.arange(x.shape[-2], dtype=x.dtype).unsqueeze(-1)


def test_the_paper_example_of_step_6(student):
    """The example of the README comes out as on paper."""
    x = torch.tensor([[1.0], [2.0], [3.0]], dtype=torch.float64)
    permutation = torch.tensor([2, 0, 1])

    moves = student.is_permutation_equivariant(minus_the_mean, x, permutation)
    stays = student.is_permutation_equivariant(running_sum, x, permutation)

    assert moves is True, f"the outputs of `x - mean` move with the tokens, but you say {moves}"
    assert stays is False, f"a running sum depends on the order, but you say {stays}"


@pytest.mark.parametrize("batch", [(), (7,)])
def test_public_layers_that_know_the_order(student, batch):
    """A place added to each token is found out, in a batch as well."""
    generator = torch.Generator().manual_seed(6)
    x = torch.randn(*batch, 7, 3, generator=generator, dtype=torch.float64)
    permutation = torch.tensor([2, 4, 0, 6, 1, 3, 5])

    without = student.is_permutation_equivariant(minus_the_mean, x, permutation)
    encoded = student.is_permutation_equivariant(numbered, x, permutation)

    assert without is True, f"the outputs of `x - mean` move with the tokens, but you say {without}"
    assert encoded is False, f"each token has its place added, but you say {encoded}"
