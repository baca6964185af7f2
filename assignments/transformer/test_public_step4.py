"""Public checks of step 4: positions."""

import math

import pytest
import torch

pytestmark = pytest.mark.question("positions")


def encode(student, n, d_model):
    """The student's encoding, after a look at its shape and dtype."""
    encoding = student.positional_encoding(n, d_model)
    assert isinstance(encoding, torch.Tensor), f"expected a tensor, got {type(encoding).__name__}"
    assert encoding.shape == (n, d_model), (
        f"{n} positions of width {d_model} have shape {tuple(encoding.shape)}"
    )
    assert encoding.dtype == torch.float32, f"expected torch.float32, got {encoding.dtype}"
    return encoding


@pytest.mark.weight(2)
def test_the_paper_example_of_step_4(student):
    """The example of the README comes out as on paper."""
    encoding = encode(student, 2, 4)

    expected = torch.tensor([[0.0, 1.0, 0.0, 1.0], [0.8415, 0.5403, 0.0100, 0.99995]])
    assert torch.allclose(encoding, expected, atol=1e-4), f"expected {expected}, got {encoding}"


@pytest.mark.weight(3)
@pytest.mark.parametrize("d_model", [6, 5])
def test_each_pair_of_columns_has_one_angle(student, d_model):
    """Sine and cosine of pos / 10000^(2i / d_model), at even and at odd widths."""
    encoding = encode(student, 6, d_model)

    for pos in range(6):
        for column in range(d_model):
            i = column // 2
            wave = math.cos if column % 2 else math.sin
            expected = wave(pos / math.pow(10000, 2 * i / d_model))
            got = encoding[pos, column].item()
            assert abs(got - expected) < 1e-4, (
                f"position {pos}, column {column}: expected {expected:.4f}, got {got:.4f}"
            )


@pytest.mark.weight(2)
def test_double_precision_has_more_digits(student):
    """sin² + cos² is 1, to every digit of the dtype that was asked for."""
    encoding = student.positional_encoding(50, 8, dtype=torch.float64)

    assert encoding.shape == (50, 8), f"the shape is {tuple(encoding.shape)}, not (50, 8)"
    assert encoding.dtype == torch.float64, f"expected torch.float64, got {encoding.dtype}"
    sums = encoding[:, 0::2] ** 2 + encoding[:, 1::2] ** 2
    off = (sums - 1).abs().max().item()
    assert off < 1e-12, f"sine and cosine of one angle: the squares sum to 1 but for {off:.1e}"
    expected = math.sin(49 / math.pow(10000, 0.25))
    assert abs(encoding[49, 2].item() - expected) < 1e-12, (
        f"position 49, column 2: expected {expected:.15f}, got {encoding[49, 2].item():.15f}"
    )
