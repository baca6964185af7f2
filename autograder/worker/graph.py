"""The node of the gradient graph that asks another process, for a value and for derivatives."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from typing import Any, cast

import torch

_LEGACY_BATCH = re.compile(r"\bBatched\b")


class _Unmapped(torch.autograd.Function):
    """Under `vmap`, asks once for each entry of the batch."""

    @classmethod
    def vmap(cls, info: Any, in_dims: Any, *arguments: Any) -> Any:
        results = []
        for at in range(info.batch_size):
            pairs = zip(arguments, in_dims, strict=True)
            results.append(cls.apply(*(_entry(one, axis, at) for one, axis in pairs)))
        stacked = tuple(torch.stack(column) for column in zip(*results, strict=True))
        return stacked, (0,) * len(stacked)


class _Derivative(_Unmapped):
    """What `ask` gives for inputs and as many vectors as there are left; without derivative."""

    @staticmethod
    def forward(ask: Any, count: int, *tensors: Any) -> Any:
        return tuple(ask(tensors[:count], tensors[count:]))

    @staticmethod
    def setup_context(ctx: Any, inputs: Any, output: Any) -> None:
        """Nothing is kept."""

    @staticmethod
    def backward(ctx: Any, *upstream: Any) -> Any:
        raise NotImplementedError("this layer has no second derivative")


class Value(_Unmapped):
    """What `value` gives for inputs.

    `backward` gives the gradients of the inputs for upstream ones, `forward` the tangents of the
    value for those of the inputs.
    """

    @staticmethod
    def forward(value: Any, backward: Any, forward: Any, *inputs: Any) -> Any:
        return value(*inputs)

    @staticmethod
    def setup_context(ctx: Any, inputs: Any, output: Any) -> None:
        _, ctx.backward, ctx.forward, *tensors = inputs
        ctx.set_materialize_grads(True)
        ctx.save_for_backward(*tensors)
        ctx.save_for_forward(*tensors)

    @staticmethod
    def backward(ctx: Any, *upstream: Any) -> Any:
        inputs = ctx.saved_tensors

        def below(*above: Any) -> Any:
            return _Derivative.apply(ctx.backward, len(inputs), *inputs, *above)

        return None, None, None, *_unbatched(below, upstream)

    @staticmethod
    def jvp(ctx: Any, *tangents: Any) -> Any:
        inputs = ctx.saved_tensors
        return _Derivative.apply(ctx.forward, len(inputs), *inputs, *tangents[3:])


def _unbatched(below: Callable[..., Any], upstream: Sequence[Any]) -> Sequence[Any]:
    """What `below` gives for upstream gradients. Where many come at once, as in
    `autograd.functional.jacobian(…, vectorize=True)`, it is asked for one after the other: that
    is not torch.func's `vmap`, and knows no rule of ours."""
    keys = [str(torch._C._dispatch_keys(one)) for one in upstream]
    if not any(_LEGACY_BATCH.search(key) for key in keys):
        return cast("Sequence[Any]", below(*upstream))
    level = torch._C._vmapmode_increment_nesting() - 1
    torch._C._vmapmode_decrement_nesting()
    taken = [torch._remove_batch_dim(one, level, 1, 0) for one in upstream]
    size = max(len(one) for one in taken)
    each = zip(*(one.expand(size, *one.shape[1:]) for one in taken), strict=True)
    found = zip(*(below(*above) for above in each), strict=True)
    return [torch._add_batch_dim(torch.stack(column), 0, level) for column in found]


def _entry(value: Any, axis: int | None, at: int) -> Any:
    return value if axis is None else value.select(axis, at)
