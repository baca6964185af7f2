"""Step 6, undone by the inverse."""

import torch


def is_permutation_equivariant(layer, x, permutation):
    back = torch.argsort(permutation)
    difference = layer(x[..., permutation, :])[..., back, :] - layer(x)
    return bool((difference.abs() < 1e-9).all())
