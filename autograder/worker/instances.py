"""A call of an instance: a class of a student's, a reference or a known mistake is constructed, and
given its weights. Weights are handed in, never drawn."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

from autograder import wire
from autograder.worker.errors import NotAModule, WeightsDiffer


def instance_of(kind: Callable[..., Any], construct: tuple[Any, ...]) -> Any:
    """An instance of a class.

    Raises:
        NotAModule: it is no torch.nn.Module.
    """
    import torch

    made = kind(*construct)
    if not isinstance(made, torch.nn.Module):
        raise NotAModule(f"it is a {type(made).__name__}")
    return made


def with_instance(
    target: Callable[..., Any], given: wire.Arguments
) -> tuple[Callable[..., Any], wire.Arguments]:
    """What is to be called, and with what: for a class an instance, and its own weights in the
    place of those that were loaded into it.

    The instance takes the dtype and the device of the weights.

    Raises:
        NotAModule, WeightsDiffer.
    """
    if given.how.construct is None:
        return target, given
    made = instance_of(target, given.how.construct)
    weights = given.how.weights
    if weights:
        one = next(iter(weights.values()))
        made.to(device=one.device, dtype=one.dtype)
    own = made.state_dict(keep_vars=True)
    if _shapes(own) != _shapes(weights):
        raise WeightsDiffer(f"it has {_shapes(own)}, and was given {_shapes(weights)}")
    made.load_state_dict(weights)
    live = {name: own[name] for name in weights}
    return made, given._replace(how=replace(given.how, weights=live))


def _shapes(weights: Any) -> dict[str, tuple[int, ...]]:
    return {name: tuple(one.shape) for name, one in weights.items()}
