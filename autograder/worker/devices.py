"""Does code stay on the device of its arguments: told without such a device, by a call on meta
tensors, which have no values. What turns on values cannot be told."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import replace
from typing import Any, NamedTuple

import torch
from torch.utils._python_dispatch import TorchDispatchMode
from torch.utils._pytree import tree_leaves, tree_map

from autograder import wire
from autograder.wire import LEAVES, MIXES, STAYS, UNTOLD

_META = torch.device("meta")
# Of these the indices may lie elsewhere, and of a copy either side.
_INDEXING = frozenset({"index", "index_put", "index_put_", "_unsafe_index", "_index_put_impl_"})
_COPYING = frozenset({"copy_", "_to_copy"})


class Moved(NamedTuple):
    """Whether code stays on one device, and the exception that knows where it does not."""

    verdict: str
    error: BaseException | None


class _Mixed(BaseException):
    """An operation has tensors of two devices; no student's `except Exception` takes it."""


class _OneDevice(TorchDispatchMode):
    """Refuses operations on tensors of two devices, as a GPU does and meta tensors often do not."""

    def __init__(self) -> None:
        super().__init__()
        self.left: BaseException | None = None  # where values first went to another device

    def __torch_dispatch__(
        self, func: Any, types: Any, args: tuple[Any, ...] = (), kwargs: Any = None
    ) -> Any:
        name = func.overloadpacket.__name__
        looked_at = [args[0], *args[2:]] if name in _INDEXING else [args, kwargs]
        if name not in _COPYING and len(_devices(looked_at)) > 1:
            raise _Mixed(name)
        if name == "copy_" and args[1].is_meta and not args[0].is_meta:
            self.left = self.left or _here()
            return args[0]
        return func(*args, **(kwargs or {}))


def moved(target: Callable[..., Any], given: wire.Arguments) -> Moved:
    """Call a function or instance with every tensor on the meta device, and a `device` that is
    named among the arguments likewise."""
    if given.how.construct is not None:
        target.to(_META)  # type: ignore[attr-defined]
    given = _on_meta(given)
    mode = _OneDevice()
    try:
        with mode:
            answer = target(*given.positional, **given.named)
    except _Mixed as error:
        return Moved(MIXES, error)
    except Exception:  # no values to look at, or to hand out
        return Moved(UNTOLD, None)
    elsewhere = any(not one.is_meta for one in _tensors([answer]))
    return Moved(LEAVES, mode.left) if elsewhere else Moved(STAYS, None)


def _on_meta(given: wire.Arguments) -> wire.Arguments:
    def move(value: Any) -> Any:
        return value.to(_META) if isinstance(value, torch.Tensor) else value

    positional, named = tree_map(move, (given.positional, given.named))
    if "device" in named:
        named["device"] = _META
    return wire.Arguments(positional, named, replace(given.how, weights={}))


def _devices(values: Iterable[Any]) -> set[str]:
    """Where the tensors among these lie that are more than one number."""
    return {one.device.type for one in _tensors(values) if one.ndim}


def _tensors(values: Iterable[Any]) -> list[torch.Tensor]:
    return [one for one in tree_leaves(list(values)) if isinstance(one, torch.Tensor)]


def _here() -> BaseException:
    try:
        raise _Mixed("copy_")
    except _Mixed as error:
        return error
