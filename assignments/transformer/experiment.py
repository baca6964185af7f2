"""Recall: your transformer learns which of 16 tokens came first; an equal RNN stays at chance.

    python experiment.py

It needs all six steps, takes a few seconds, and prints the mean loss of every ten batches, for
three random beginnings. What it shows is this task, these sizes and a hundred batches, no more:
with enough training a recurrent network can learn it too.
"""

from __future__ import annotations

import math

import recall
import torch
from torch import Tensor, nn

SEEDS = (0, 1, 2)
COUNT, BATCH, LEARNING_RATE = 100, 32, 0.02


class Recurrent(nn.Module):
    """An RNN or LSTM between an embedding and an unembedding, as wide as the transformer.

    Args:
        cell: nn.RNN or nn.LSTM.
    """

    def __init__(self, cell: type[nn.RNN] | type[nn.LSTM]) -> None:
        super().__init__()
        self.embedding = nn.Parameter(torch.empty(recall.VOCABULARY, recall.WIDTH))
        self.cell = cell(recall.WIDTH, recall.WIDTH, batch_first=True)
        self.unembedding = nn.Parameter(torch.empty(recall.WIDTH, recall.VOCABULARY))

    def forward(self, tokens: Tensor) -> Tensor:
        """(batch, n) → logits (batch, n, vocabulary)."""
        states, _ = self.cell(self.embedding[tokens])
        return states @ self.unembedding


def curve(model: nn.Module, seed: int) -> list[float]:
    """The mean loss of every ten batches, from random weights of this seed."""
    from step6_recall import train

    generator = torch.Generator().manual_seed(seed)
    model.load_state_dict(recall.random_weights(model, generator))
    batches = recall.recall_batches(COUNT, BATCH, generator)
    losses = train(model, batches, torch.optim.Adam(model.parameters(), lr=LEARNING_RATE))
    return [sum(losses[at : at + 10]) / 10 for at in range(0, len(losses), 10)]


def main() -> None:
    """Train all three and print their curves."""
    print(f"guessing has a loss of log {recall.VOCABULARY} = {math.log(recall.VOCABULARY):.3f}")
    for seed in SEEDS:
        for name, model in (
            ("transformer", recall.Transformer()),
            ("RNN", Recurrent(nn.RNN)),
            ("LSTM", Recurrent(nn.LSTM)),
        ):
            shown = " ".join(f"{loss:5.2f}" for loss in curve(model, seed))
            print(f"beginning {seed}  {name:11}  {shown}")


if __name__ == "__main__":
    main()
