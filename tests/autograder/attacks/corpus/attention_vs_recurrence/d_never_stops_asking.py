"""Asks the grader's layer again and again, of itself, and for a batch of a hundred thousand.

step: step3_influence.py
earns: nothing
"""

import torch


class Again(torch.autograd.Function):
    """Asks while it is asked."""

    @staticmethod
    def forward(ctx, layer, x):
        ctx.layer = layer
        ctx.save_for_backward(x)
        return layer(x)

    @staticmethod
    def backward(ctx, upstream):
        (x,) = ctx.saved_tensors
        with torch.enable_grad():
            return None, torch.autograd.grad(deeper(ctx.layer, x.detach().requires_grad_()), x)[0]


def deeper(layer, x):
    return Again.apply(lambda tokens: deeper(layer, layer(tokens)), x)


def attempts(layer, x):
    many = x.expand(100_000, *x.shape)
    jacobian = torch.autograd.functional.jacobian
    return (
        lambda: torch.func.jvp(layer, (x,), (torch.zeros(1).expand(1 << 31),)),
        lambda: deeper(layer, x),
        lambda: deeper(layer, x.clone().requires_grad_()).sum().backward(),
        lambda: torch.func.hessian(lambda one: layer(one).sum())(x),
        lambda: jacobian(lambda one: jacobian(layer, one, create_graph=True), x, vectorize=True),
        lambda: torch.func.jacfwd(torch.func.jacrev(torch.func.vmap(layer)))(many),
        lambda: torch.func.vmap(torch.func.vmap(layer))(many.expand(1000, *many.shape)),
    )


def influence(layer, x):
    for attempt in attempts(layer, x):
        try:
            attempt()
        except Exception:
            pass
    while True:
        layer(x)
