"""A class of the grader's, seen from a worker: its weights are there, and what it gives comes over
the channel."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from autograder.worker.asking import Ask, function_of


def described(name: str) -> str:
    """What the function is called that gives the form of a class's weights."""
    return f"{name} described"


def class_of(name: str, ask: Ask) -> Callable[..., Any]:
    """The class of that name: a torch.nn.Module."""
    import torch

    call, form = function_of(name, ask), function_of(described(name), ask)

    class StandIn(torch.nn.Module):
        """Has the weights, and asks with them."""

        def __init__(self, *construct: Any) -> None:
            super().__init__()
            self._construct = construct
            weights: Any = form(*construct)
            for path, value in weights.items():
                _register(self, path, torch.nn.Parameter(value))

        def forward(self, *arguments: Any, **named: Any) -> Any:
            weights = self.state_dict(keep_vars=True)
            counts = (len(self._construct), list(weights))
            return call(*counts, *self._construct, *weights.values(), *arguments, **named)

    StandIn.__name__ = StandIn.__qualname__ = name
    return StandIn


def _register(module: Any, path: str, value: Any) -> None:
    """Put a weight where its name says: `attention.w_q` belongs to a module within the module."""
    import torch

    *outer, last = path.split(".")
    for one in outer:
        if one not in dict(module.named_children()):
            module.add_module(one, torch.nn.Module())
        module = module.get_submodule(one)
    module.register_parameter(last, value)
