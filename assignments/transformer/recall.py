"""Given: a task that needs a memory, and a small transformer around your block. It is not graded.

The task is recall: of 16 random tokens, which one came first? A transformer looks back at it in one
step. A recurrent network has to carry it past 15 others, and learns nothing in the same time:
`python experiment.py` shows both.

Your own steps are imported where they are needed, so an unfinished one disturbs nothing else.
"""

from __future__ import annotations

import math
from collections.abc import Iterable

import torch
from torch import Tensor, nn

LENGTH = 16  # tokens of a sequence
VOCABULARY = 4  # different tokens; chance has a loss of log 4 = 1.386
WIDTH = 16  # d_model
HEADS = 2
HIDDEN = 32  # width inside the feed-forward network

Batches = list[tuple[Tensor, Tensor]]


class Transformer(nn.Module):
    """Your encoder block between an embedding with your positions and an unembedding.

    Args:
        vocabulary: number of different tokens.
        d_model, num_heads, d_hidden: as in step 5.
    """

    def __init__(
        self,
        vocabulary: int = VOCABULARY,
        d_model: int = WIDTH,
        num_heads: int = HEADS,
        d_hidden: int = HIDDEN,
    ) -> None:
        from step5_block import EncoderBlock

        super().__init__()
        self.embedding = nn.Parameter(torch.empty(vocabulary, d_model))
        self.block = EncoderBlock(d_model, num_heads, d_hidden)
        self.unembedding = nn.Parameter(torch.empty(d_model, vocabulary))

    def forward(self, tokens: Tensor) -> Tensor:
        """Logits of the next token, at every position.

        Args:
            tokens: (batch, n), whole numbers below `vocabulary`.

        Returns:
            (batch, n, vocabulary), one prediction at every position.
        """
        from step4_positions import positional_encoding

        x = self.embedding[tokens]  # (batch, n, d_model)
        n, d_model = x.shape[-2:]
        places = positional_encoding(n, d_model).to(x)  # (n, d_model), of x's dtype and device
        return self.block(x + places) @ self.unembedding


class Table(nn.Module):
    """No attention and no memory: the logits are the row of the last token, from a table.

    A model small enough to train by hand; it uses none of your steps.
    """

    def __init__(self, vocabulary: int = VOCABULARY) -> None:
        super().__init__()
        self.table = nn.Parameter(torch.empty(vocabulary, vocabulary))

    def forward(self, tokens: Tensor) -> Tensor:
        """(batch, n) → (batch, n, vocabulary): each token's own row, at its position."""
        return self.table[tokens]


class SGD:
    """Plain steps against the gradient: what torch.optim.SGD does, without its further options.

    torch's own would do as well; only, the first use of them takes seconds.

    Args:
        parameters: those of a model.
        lr: the length of a step, as a multiple of the gradient.
    """

    def __init__(self, parameters: Iterable[nn.Parameter], lr: float) -> None:
        self.lr = lr
        self.param_groups = [{"params": list(parameters), "lr": lr}]

    @property
    def parameters(self) -> list[nn.Parameter]:
        """All that are trained."""
        return [one for group in self.param_groups for one in group["params"]]

    def zero_grad(self, set_to_none: bool = True) -> None:
        """Forget the gradients of the batch before."""
        for one in self.parameters:
            if set_to_none or one.grad is None:
                one.grad = None
            else:
                one.grad.zero_()

    def step(self) -> None:
        """Go one step, along the gradients that are there."""
        with torch.no_grad():
            for one in self.parameters:
                if one.grad is not None:
                    one -= self.lr * one.grad


class Adam(SGD):
    """Steps of about equal length in every direction: what torch.optim.Adam does by default."""

    def __init__(self, parameters: Iterable[nn.Parameter], lr: float) -> None:
        super().__init__(parameters, lr)
        self.count = 0
        self.means = [torch.zeros_like(one) for one in self.parameters]
        self.squares = [torch.zeros_like(one) for one in self.parameters]

    def step(self) -> None:
        """Go one step, along running means of the gradients over the roots of their squares."""
        self.count += 1
        with torch.no_grad():
            for one, mean, square in zip(self.parameters, self.means, self.squares, strict=True):
                if one.grad is None:
                    continue
                mean.lerp_(one.grad, 0.1)
                square.lerp_(one.grad.square(), 0.001)
                root = (square / (1 - 0.999**self.count)).sqrt_().add_(1e-8)
                one.addcdiv_(mean / (1 - 0.9**self.count), root, value=-self.lr)


def recall_batches(count: int, batch: int, generator: torch.Generator) -> Batches:
    """Random sequences, each with its first token as the target.

    Args:
        count: number of batches.
        batch: sequences in a batch.
        generator: draws the tokens.

    Returns:
        `count` pairs of tokens (batch, n) and targets (batch,).
    """
    drawn = [torch.randint(VOCABULARY, (batch, LENGTH), generator=generator) for _ in range(count)]
    return [(tokens, tokens[:, 0].clone()) for tokens in drawn]


def random_weights(model: nn.Module, generator: torch.Generator) -> dict[str, Tensor]:
    """Small random numbers for every weight of a model, by name; norms begin as they have to.

    Args:
        model: has parameters.
        generator: draws the numbers.
    """
    weights = {}
    for name, parameter in model.named_parameters():
        shape = parameter.shape
        if "norm" in name or len(shape) < 2:
            whole = torch.ones if name.endswith("weight") else torch.zeros
            weights[name] = whole(shape)
        else:
            spread = 1.0 if name == "embedding" else 1 / math.sqrt(shape[0])
            weights[name] = spread * torch.randn(shape, generator=generator)
    return weights


def trained(
    kind: str,
    weights: dict[str, Tensor],
    batches: Batches,
    optimizer: str = "adam",
    learning_rate: float = 0.01,
) -> tuple[list[float], dict[str, Tensor]]:
    """What your `train` gives back for a model with these weights, and the weights after it.

    Args:
        kind: "transformer" (made with your steps 4 and 5) or "table".
        weights: by name, as `random_weights` gives them; they are copied.
        batches: pairs of tokens and targets.
        optimizer: "adam" or "sgd".
        learning_rate: the length of its steps.

    Returns:
        losses: what `train` gives back.
        weights: by name, as they are afterwards.
    """
    from step6_recall import train

    model: nn.Module
    if kind == "table":
        model = Table(len(weights["table"]))
    else:
        vocabulary, d_model = weights["embedding"].shape
        d_hidden = weights["block.feed_forward.w_1"].shape[1]
        model = Transformer(vocabulary, d_model, HEADS, d_hidden)
    model.to(next(iter(weights.values())).dtype)
    model.load_state_dict(weights)
    made = {"adam": Adam, "sgd": SGD}[optimizer]
    curve = train(model, batches, made(model.parameters(), lr=learning_rate))
    return curve, {name: one.detach().clone() for name, one in model.state_dict().items()}
