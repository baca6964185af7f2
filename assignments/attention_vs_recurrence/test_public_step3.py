"""Public checks of step 3: which token reaches which."""

import pytest
import torch

pytestmark = [pytest.mark.question("influence"), pytest.mark.weight(2)]


def second_hears_the_first(x):
    """y_1 = x_1, and y_2 = x_2 + (3 · first feature, 4 · second feature) of x_1."""
    heard = x[0] * torch.tensor([3.0, 4.0], dtype=x.dtype)
    return torch.stack([x[0], x[1] + heard])


def each_hears_the_one_before(x):
    """y_1 = 0, and y_i = 2 x_{i−1}: an output for every token but the last."""
    return torch.cat([torch.zeros_like(x[:1]), 2 * x[:-1]])


def test_the_paper_example_of_step_3(student):
    """The example of the README comes out as on paper."""
    x = torch.tensor([[1.0, 2.0], [3.0, 4.0]])

    found = student.influence(second_hears_the_first, x)

    assert tuple(found.shape) == (2, 2), f"the result has shape {tuple(found.shape)}, not (2, 2)"
    expected = torch.tensor([[2**0.5, 0.0], [5.0, 2**0.5]])
    assert torch.allclose(found, expected, atol=1e-5), f"expected {expected}, got {found}"


@pytest.mark.parametrize("n", [4, 6])
def test_no_way_no_influence(student, n):
    """Where y_i is made of x_{i−1} alone, one diagonal is above zero, and nothing else."""
    generator = torch.Generator().manual_seed(n)
    x = torch.randn(n, 4, generator=generator, dtype=torch.float64)

    found = student.influence(each_hears_the_one_before, x)

    assert tuple(found.shape) == (n, n), f"the result has shape {tuple(found.shape)}, not {(n, n)}"
    expected = torch.diag(torch.full((n - 1,), 4.0, dtype=x.dtype), -1)  # the root of 4 · 2²
    assert torch.allclose(found, expected), f"expected {expected}, got {found}"
