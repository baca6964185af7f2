"""Public checks of step 6: training."""

import math

import pytest
import torch

pytestmark = pytest.mark.question("recall")


def look_at(losses, count):
    """A look at what kind of losses these are, before their values."""
    assert isinstance(losses, (list, tuple)), f"expected a list, got {type(losses).__name__}"
    assert len(losses) == count, f"{count} batches gave {len(losses)} losses"
    for loss in losses:
        assert isinstance(loss, float), f"a loss is a plain float, yours {type(loss).__name__}"


@pytest.mark.weight(2)
def test_the_paper_example_of_step_6(student):
    """The example of the README comes out as on paper: losses, and weights after two steps."""
    batch = (torch.tensor([[0, 1]]), torch.tensor([0]))

    losses, weights = student.trained(
        "table", {"table": torch.zeros(2, 2)}, [batch] * 2, "sgd", 1.0
    )

    look_at(losses, 2)
    assert math.isclose(losses[0], 0.6931, abs_tol=1e-3), f"expected 0.6931 first, got {losses[0]}"
    assert math.isclose(losses[1], 0.3133, abs_tol=1e-3), f"expected 0.3133 next, got {losses[1]}"
    expected = torch.tensor([[0.0, 0.0], [0.7689, -0.7689]])
    assert torch.allclose(weights["table"], expected, atol=1e-3), (
        f"expected the table {expected}, got {weights['table']}"
    )


@pytest.mark.weight(3)
def test_public_recall_is_learned(student):
    """Your transformer learns which of sixteen tokens came first."""
    generator = torch.Generator().manual_seed(9)
    shapes = {
        "embedding": (4, 16),
        "unembedding": (16, 4),
        **{f"block.attention.w_{one}": (16, 16) for one in "qkvo"},
        "block.feed_forward.w_1": (16, 32),
        "block.feed_forward.w_2": (32, 16),
    }
    weights = {
        name: torch.randn(*shape, generator=generator) / (1 if name == "embedding" else 4)
        for name, shape in shapes.items()
    }
    for name, size in (("feed_forward.b_1", 32), ("feed_forward.b_2", 16)):
        weights[f"block.{name}"] = torch.zeros(size)
    for i in (1, 2):
        weights[f"block.norm_{i}.weight"] = torch.ones(16)
        weights[f"block.norm_{i}.bias"] = torch.zeros(16)
    tokens = torch.randint(4, (100, 32, 16), generator=generator)
    batches = [(one, one[:, 0].clone()) for one in tokens]

    losses, after = student.trained("transformer", weights, batches, "adam", 0.02)

    look_at(losses, 100)
    assert not torch.equal(after["embedding"], weights["embedding"]), (
        "after 100 batches the embedding is still what it was"
    )
    early, late = sum(losses[:10]) / 10, sum(losses[-10:]) / 10
    assert late < 0.7, (
        f"guessing has a loss of {math.log(4):.2f}; yours was {early:.2f} at first and is "
        f"{late:.2f} after 100 batches"
    )
