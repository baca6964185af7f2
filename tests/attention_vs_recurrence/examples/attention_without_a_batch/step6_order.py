"""Step 6: reorder before, reorder after, compare."""

import torch


def is_permutation_equivariant(layer, x, permutation):
    before = layer(x[..., permutation, :])
    after = layer(x)[..., permutation, :]
    return torch.allclose(before, after)
