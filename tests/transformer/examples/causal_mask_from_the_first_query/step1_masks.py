"""Masks."""

import torch


def causal_mask(n_q, n_k=None, device=None):
    if n_k is None:
        n_k = n_q
    if n_q > n_k:
        raise ValueError("there are more queries than keys")
    return torch.ones(n_q, n_k, dtype=torch.bool, device=device).tril()


def padding_mask(lengths, n):
    positions = torch.arange(n, device=lengths.device)
    mask = positions.unsqueeze(0) < lengths.unsqueeze(1)
    return mask.unsqueeze(1)


def combine_masks(*masks):
    result = None
    for m in masks:
        if m is None:
            continue
        if result is None:
            result = m
        else:
            result = torch.logical_and(result, m)
    return result
