"""Step 6: one step against the gradient for each batch."""

import math

import pytest
import torch

from autograder.grading import question, weight

pytestmark = question("recall")

VOCABULARY, WIDTH, HIDDEN = 4, 16, 32


def some_batches(rng, count, batch, n, vocabulary=VOCABULARY):
    """Random tokens (batch, n), with random targets."""
    return [
        (
            torch.from_numpy(rng.integers(vocabulary, size=(batch, n))),
            torch.from_numpy(rng.integers(vocabulary, size=batch)),
        )
        for _ in range(count)
    ]


def a_table(rng, vocabulary=VOCABULARY):
    """Weights of a model that sees one token only."""
    return {"table": torch.from_numpy(rng.normal(size=(vocabulary, vocabulary)))}


def a_transformer(rng):
    """Random weights of the given transformer, in single precision, as its positions are."""
    shapes = {
        "embedding": (VOCABULARY, WIDTH),
        "unembedding": (WIDTH, VOCABULARY),
        "block.feed_forward.w_1": (WIDTH, HIDDEN),
        "block.feed_forward.w_2": (HIDDEN, WIDTH),
    }
    shapes |= {f"block.attention.w_{one}": (WIDTH, WIDTH) for one in "qkvo"}
    weights = {name: rng.normal(size=shape) / shape[0] ** 0.5 for name, shape in shapes.items()}
    weights["embedding"] *= shapes["embedding"][0] ** 0.5
    weights = {name: torch.from_numpy(one) for name, one in weights.items()}
    for name, size in (("feed_forward.b_1", HIDDEN), ("feed_forward.b_2", WIDTH)):
        weights[f"block.{name}"] = torch.zeros(size)
    for norm in ("norm_1", "norm_2"):
        weights[f"block.{norm}.weight"] = torch.ones(WIDTH)
        weights[f"block.{norm}.bias"] = torch.zeros(WIDTH)
    return {name: one.float() for name, one in weights.items()}


@weight(3)
@pytest.mark.parametrize("optimizer", ["sgd", "adam"])
@pytest.mark.parametrize(("count", "batch", "n"), [(3, 5, 6), (1, 2, 4), (4, 4, 4)])
def test_losses_and_weights_after_a_few_steps(compare, rng, optimizer, count, batch, n):
    """A step for each batch, along its own gradient, and the loss as it was before."""
    batches = some_batches(rng, count, batch, n)

    compare.trained("table", a_table(rng), batches, optimizer, 0.5)


@weight(2)
def test_a_model_that_knows_nothing_starts_at_chance(student, rng):
    """With all logits equal, the first loss is that of guessing: log of the vocabulary."""
    blank = {"table": torch.zeros(5, 5, dtype=torch.float64)}

    losses, _ = student.trained("table", blank, some_batches(rng, 2, 7, 3, 5), "sgd", 0.5)

    assert math.isclose(losses[0], math.log(5), rel_tol=1e-9), (
        "A model that holds every answer equally likely does not start at the loss of guessing. "
        "Before or after its step is a batch's loss taken, and is it the mean of its sequences?"
    )


@weight(2)
def test_only_the_last_position_is_asked(student, rng):
    """What stands before the last token makes no difference to a model without a memory."""
    ((tokens, targets),) = some_batches(rng, 1, 6, 5)
    others = torch.cat([(tokens[:, :-1] + 1) % VOCABULARY, tokens[:, -1:]], dim=1)
    weights = a_table(rng)

    losses, after = student.trained("table", weights, [(tokens, targets)], "sgd", 0.5)
    their_losses, their_after = student.trained("table", weights, [(others, targets)], "sgd", 0.5)

    assert math.isclose(losses[0], their_losses[0], rel_tol=1e-9), (
        "Earlier tokens change the loss of a model that looks at one token only. "
        "At which position is the answer asked for?"
    )
    assert torch.allclose(after["table"], their_after["table"]), (
        "Earlier tokens change what a model learns that looks at one token only. "
        "Which positions does your loss take in?"
    )


@weight(2)
def test_no_gradient_is_left_over(student, rng):
    """What the first batch taught is not taught again by a second one about other tokens."""
    targets = torch.from_numpy(rng.integers(VOCABULARY, size=6))
    batches = [(torch.full((6, 3), token), targets) for token in (0, 1)]
    weights = a_table(rng)

    _, once = student.trained("table", weights, batches[:1], "sgd", 0.5)
    _, twice = student.trained("table", weights, batches, "sgd", 0.5)

    assert not torch.allclose(once["table"][0], weights["table"][0]), (
        "After a batch, the weights that it was about are what they were. "
        "Which call changes the weights, and is it made?"
    )
    assert torch.allclose(once["table"][0], twice["table"][0]), (
        "A second batch, about other tokens, moves what only the first was about. "
        "What does backward do with gradients that are there already?"
    )


@weight(2)
def test_nothing_to_learn_from_changes_nothing(compare, rng):
    """Without batches there are no losses, and with steps of length zero the weights stay."""
    compare.trained("table", a_table(rng), [], "sgd", 0.5)
    compare.trained("table", a_table(rng), some_batches(rng, 3, 4, 5), "sgd", 0.0)


@weight(2)
def test_a_transformer_takes_the_same_steps(compare, rng):
    """Every weight of the model moves as its gradient says."""
    batches = some_batches(rng, 2, 5, 6)

    compare.trained("transformer", a_transformer(rng), batches, "sgd", 0.1)
