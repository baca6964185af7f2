"""What a call costs, counted and not timed: the same call always costs the same.

Counted where the code runs, so a student's code could say what it likes: it tells an honest student
something, and comes on top of right values.
"""

from __future__ import annotations

import weakref
from collections.abc import Callable, Iterable
from typing import Any, NamedTuple

import torch
from torch.utils._python_dispatch import TorchDispatchMode
from torch.utils._pytree import tree_leaves
from torch.utils.flop_counter import flop_registry

from autograder import wire

# Multiplications and divisions one by one, which torch's counter takes for nothing.
_BY_ENTRY = frozenset({"mul", "mul_", "div", "div_"})


class Measures(NamedTuple):
    """What one call cost.

    Args:
        operations: dispatched by torch, views among them.
        flops: of matrix products, two for each multiplication, as torch counts them; and one for
            each entry of what is multiplied or divided entry by entry.
        largest: the numbers of the largest tensor that it made.
        peak: bytes of what it made and that was there at once.
        depth: the longest path of the gradient graph, from what it gave.
    """

    operations: int
    flops: int
    largest: int
    peak: int
    depth: int


class _Counter(TorchDispatchMode):
    def __init__(self, given: Iterable[Any]) -> None:
        super().__init__()
        self.operations = self.flops = self.largest = self.peak = self._live = 0
        self._known = {id(one.untyped_storage()) for one in _tensors(given)}

    @classmethod
    def _should_skip_dynamo(cls) -> bool:
        """No: nothing is compiled here, and to skip the compiler it would be imported."""
        return False

    def __torch_dispatch__(
        self, func: Any, types: Any, args: tuple[Any, ...] = (), kwargs: Any = None
    ) -> Any:
        kwargs = kwargs or {}
        if torch.is_inference_mode_enabled():  # where what is made of others comes in one piece
            with self:
                out = func.decompose(*args, **kwargs)
            if out is not NotImplemented:
                return out
        out = func(*args, **kwargs)
        self.operations += 1
        for one in _tensors([out]):
            self._made(one)
            if func.overloadpacket.__name__ in _BY_ENTRY:
                self.flops += one.numel()
        of_products = flop_registry.get(func.overloadpacket)
        if of_products is not None:
            self.flops += of_products(*args, **kwargs, out_val=out)
        return out

    def _made(self, one: torch.Tensor) -> None:
        storage = one.untyped_storage()
        if id(storage) in self._known:
            return
        self.largest = max(self.largest, one.numel())
        self._live += storage.nbytes()
        self.peak = max(self.peak, self._live)
        self._known.add(id(storage))
        weakref.finalize(storage, self._gone, id(storage), storage.nbytes())

    def _gone(self, key: int, size: int) -> None:
        self._known.discard(key)
        self._live -= size


def measured(target: Callable[..., Any], given: wire.Arguments) -> tuple[Any, Measures]:
    """What a function or instance gives, and what that cost. Floating-point tensors among its
    arguments are made to require gradients."""
    for one in _tensors(given.values):
        if one.is_floating_point():
            one.requires_grad_()
    counter = _Counter(given.values)
    with counter:
        answer = target(*given.positional, **given.named)
    depth = max((_depth(one.grad_fn) for one in _tensors([answer])), default=0)
    found = Measures(counter.operations, counter.flops, counter.largest, counter.peak, depth)
    return answer, found


def _depth(end: Any) -> int:
    """The longest path from a node of the gradient graph, counted in nodes."""
    depths: dict[Any, int] = {None: 0}
    waiting = [end]
    while waiting:
        node = waiting[-1]
        below = [] if node is None else [one for one, _ in node.next_functions]
        unknown = [one for one in below if one not in depths]
        if unknown:
            waiting += unknown
            continue
        waiting.pop()
        if node not in depths:
            depths[node] = 1 + max((depths[one] for one in below), default=0)
    return depths[end]


def _tensors(values: Iterable[Any]) -> list[torch.Tensor]:
    return [one for one in tree_leaves(list(values)) if isinstance(one, torch.Tensor)]
