"""Training."""

import torch.nn.functional as F


def train(model, batches, optimizer):
    losses = []
    for tokens, targets in batches:
        optimizer.zero_grad()
        out = model(tokens)[..., -1, :]
        loss = F.cross_entropy(out, targets)
        loss.backward()
        optimizer.step()
        losses.append(loss.item())
    return losses
