"""Step 1 with loops and comparisons."""

import torch


def causal_mask(n_q, n_k=None, device=None):
    n_k = n_q if n_k is None else n_k
    if n_k < n_q:
        raise ValueError(f"{n_q} > {n_k}")
    mask = torch.zeros(n_q, n_k, dtype=torch.bool, device=device)
    for i in range(n_q):
        mask[i, : n_k - n_q + i + 1] = True
    return mask


def padding_mask(lengths, n):
    steps = torch.ones(lengths.shape[0], 1, n, device=lengths.device).cumsum(-1)
    return steps <= lengths[:, None, None]


def combine_masks(*masks):
    masks = [m for m in masks if m is not None]
    if len(masks) == 0:
        return None
    if len(masks) == 1:
        return masks[0]
    return masks[0] & combine_masks(*masks[1:])
