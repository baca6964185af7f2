"""Step 6 with the loss written out."""

import torch


def train(model, batches, optimizer):
    losses = []
    for tokens, targets in batches:
        logits = model(tokens)[:, -1]
        logs = logits - torch.logsumexp(logits, dim=-1, keepdim=True)
        loss = -logs[torch.arange(len(targets)), targets].mean()
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        losses.append(float(loss))
    return losses
