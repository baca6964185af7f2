"""Does code stay on the device of its arguments? A call on meta tensors, which have no values,
tells it on a computer without a GPU; what turns on values cannot be told.

A handout of a torch assignment has this file too, as `another_device.py`.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterable, Mapping, Sequence
from types import FrameType, TracebackType
from typing import Any

import torch
from torch.utils._python_dispatch import TorchDispatchMode
from torch.utils._pytree import tree_leaves, tree_map

_META = torch.device("meta")
# Of these the indices may lie elsewhere, and of a copy either side.
_INDEXING = frozenset({"index", "index_put", "index_put_", "_unsafe_index", "_index_put_impl_"})


class _Mixed(BaseException):
    """An operation has tensors of two devices; no `except Exception` of a step takes it."""


class _OneDevice(TorchDispatchMode):
    """Refuses operations on tensors of two devices, as a GPU does and meta tensors often do not."""

    def __init__(self) -> None:
        super().__init__()
        self.left: BaseException | None = None  # where values first went to another device

    @classmethod
    def _should_skip_dynamo(cls) -> bool:
        """No: nothing is compiled here, and to skip the compiler it would be imported."""
        return False

    def __torch_dispatch__(
        self, func: Any, types: Any, args: tuple[Any, ...] = (), kwargs: Any = None
    ) -> Any:
        name = func.overloadpacket.__name__
        looked_at = [args[0], *args[2:]] if name in _INDEXING else [args, kwargs]
        if name not in ("copy_", "_to_copy") and len(_devices(looked_at)) > 1:
            raise _Mixed(name)
        kwargs = kwargs or {}
        if name == "copy_" and args[1].is_meta and not args[0].is_meta:
            self.left = self.left or _here()
            return args[0]
        if name == "_to_copy" and args[0].is_meta and kwargs.get("device", _META) != _META:
            self.left = self.left or _here()
            return torch.zeros(args[0].shape, dtype=kwargs.get("dtype") or args[0].dtype)
        return func(*args, **kwargs)


def moved(
    function: Callable[..., Any], positional: Sequence[Any], named: Mapping[str, Any]
) -> tuple[str, BaseException | None]:
    """Call a function or module with every tensor on the meta device, and a `device` that is named
    among the arguments likewise.

    Returns:
        "stays"; "mixes", tensors of two devices; "leaves", what it gives is elsewhere; or "untold",
        as it turns on values. And an exception whose traceback leads to the line, if one does.
    """
    if isinstance(function, torch.nn.Module):
        function.to(_META)
    arguments = [_on_meta(one) for one in positional]
    others = {name: _META if name == "device" else _on_meta(one) for name, one in named.items()}
    mode = _OneDevice()
    try:
        with mode:
            answer = function(*arguments, **others)
    except _Mixed as error:
        return "mixes", error
    except Exception:  # no values to look at, or to hand out
        return "untold", None
    if all(one.is_meta for one in _tensors([answer])):
        return "stays", None
    return "leaves", mode.left


def _on_meta(value: Any) -> Any:
    return tree_map(lambda one: one.to(_META) if isinstance(one, torch.Tensor) else one, value)


def _devices(values: Iterable[Any]) -> set[str]:
    """Where the tensors among these lie that are more than one number."""
    return {one.device.type for one in _tensors(values) if one.ndim}


def _tensors(values: Iterable[Any]) -> list[torch.Tensor]:
    return [one for one in tree_leaves(list(values)) if isinstance(one, torch.Tensor)]


def _here() -> BaseException:
    """An exception whose traceback is the way to this line."""
    traceback: TracebackType | None = None
    frame: FrameType | None = sys._getframe(1)
    while frame is not None:
        traceback = TracebackType(traceback, frame, frame.f_lasti, frame.f_lineno)
        frame = frame.f_back
    return _Mixed().with_traceback(traceback)
