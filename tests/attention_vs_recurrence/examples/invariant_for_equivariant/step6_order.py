"""Step 6: reorder before, compare."""

import torch


def is_permutation_equivariant(layer, x, permutation):
    before = layer(x[..., permutation, :])
    after = layer(x)
    return torch.allclose(before, after)
