"""Step 3, with the features of an output added up first."""

import torch


def influence(layer, x):
    x = x.clone().requires_grad_()
    y = layer(x)
    found = torch.zeros(len(x), len(x), dtype=x.dtype)
    for i in range(len(x)):
        (grad,) = torch.autograd.grad(y[i].sum(), x, retain_graph=True)
        found[i] = grad.norm(dim=-1)
    return found
