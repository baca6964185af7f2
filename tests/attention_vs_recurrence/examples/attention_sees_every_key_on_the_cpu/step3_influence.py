"""Step 3: the norm of every block of the Jacobian."""

import torch


def influence(layer, x):
    jacobian = torch.autograd.functional.jacobian(layer, x)
    return jacobian.pow(2).sum(dim=(1, 3)).sqrt()
