"""Step 5: spread of scores, gradient of the softmax."""

import torch


def score_variance(d_k, num_pairs, generator):
    q = torch.randn(num_pairs, d_k, generator=generator)
    k = torch.randn(num_pairs, d_k, generator=generator)
    scores = (q * k).sum(dim=1)
    return scores.var().item(), (scores / d_k**0.5).var().item()


def softmax_gradient(scores):
    a = torch.softmax(scores, dim=0)
    return torch.diag(a) - a[:, None] * a[None, :]
