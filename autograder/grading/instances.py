"""An instance of a student's class, as a grader sees it: it has the part of a torch.nn.Module's
interface that public checks use too."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Mapping
from typing import Any

from autograder import wire
from autograder.worker.instances import instance_of

Ask = Callable[[tuple[object, ...], dict[str, object], wire.How], Any]


def is_class(reference: object) -> bool:
    """Whether calls are of an instance."""
    return inspect.isclass(reference)


class Instance:
    """Constructed with the same arguments, and given the same weights, each time that it is called.

    Args:
        construct: what the constructor takes.
        ask: makes one call, judged.
    """

    def __init__(self, reference: Any, construct: tuple[object, ...], ask: Ask) -> None:
        self._names = set(instance_of(reference, construct).state_dict())
        self._construct = construct
        self._weights: Mapping[str, object] = {}
        self._ask = ask

    def load_state_dict(self, weights: Mapping[str, object]) -> None:
        """Give it its weights, all of them; raises KeyError for others than the reference has."""
        if set(weights) != self._names:
            raise KeyError(f"expected the weights {sorted(self._names)}, got {sorted(weights)}")
        self._weights = dict(weights)

    def state_dict(self) -> Any:
        """Zeros of the names, shapes and dtypes of the weights that it is constructed with."""
        return self._ask((), {}, wire.How(construct=self._construct, way="described"))

    def __call__(self, *arguments: object, **named: object) -> Any:
        """What it gives; raises KeyError before there are weights."""
        if set(self._weights) != self._names:
            raise KeyError("load_state_dict comes first: weights are handed in, never drawn")
        how = wire.How(construct=self._construct, weights=self._weights)
        return self._ask(arguments, named, how)
