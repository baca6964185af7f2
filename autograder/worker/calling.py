"""A call in any other way than the plain one: of an instance, with gradients, measured, on another
device. The same for a student's code, a reference and a known mistake."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field, replace
from typing import Any

from autograder import wire
from autograder.worker.errors import ElsewhereGiven
from autograder.worker.gradients import call_with_gradients
from autograder.worker.instances import instance_of, with_instance


@dataclass(frozen=True)
class Came:
    """What came of a call.

    Args:
        arguments: as the call left them, an instance's weights too.
        error: knows the line at which it came to what it gave, where that was asked for.
    """

    value: Any
    arguments: list[Any]
    gradients: list[Any] = field(default_factory=list)
    measures: dict[str, int] = field(default_factory=dict)
    error: BaseException | None = None


def performed(target: Callable[..., Any], given: wire.Arguments) -> Came:
    """Call a function, or an instance of a class, as it is asked for; raises what that raises."""
    way = given.how.way
    if way == "described":
        own = instance_of(target, given.how.construct or ()).state_dict()
        return Came({name: one.new_zeros(one.shape) for name, one in own.items()}, [])
    if given.how.device:
        given = _on_device(given)
    target, given = with_instance(target, given)
    if way == "moved":
        from autograder.worker.devices import moved

        verdict, error = moved(target, given.positional, given.named)
        return Came(verdict, given.values, error=error)
    if way == "measured":
        from autograder.worker.measuring import measured

        value, found = measured(target, given)
        return Came(value, given.values, measures=found._asdict())
    if given.how.upstream:
        came = Came(*_with_gradients(target, given))
    else:
        came = Came(target(*given.positional, **given.named), given.values)
    if given.how.device:
        _require_on(given.how.device, came.value)
    return came


def _with_gradients(
    target: Callable[..., Any], given: wire.Arguments
) -> tuple[Any, list[Any], list[Any]]:
    value, gradients = call_with_gradients(target, given, given.how.upstream)
    return value, given.values, gradients


def _on_device(given: wire.Arguments) -> wire.Arguments:
    """The same arguments with their tensors on the device that was asked for."""
    from torch.utils._pytree import tree_map

    def move(value: Any) -> Any:
        return value.to(given.how.device) if wire.is_tensor(value) else value

    how = given.how
    positional, named, upstream = tree_map(move, (given.positional, given.named, how.upstream))
    weights = {name: move(one) for name, one in how.weights.items()}
    return wire.Arguments(positional, named, replace(how, upstream=upstream, weights=weights))


def _require_on(device: str, value: Any) -> None:
    """Raise `ElsewhereGiven` where a tensor of what was given is on another device."""
    from torch.utils._pytree import tree_leaves

    found = {one.device.type for one in tree_leaves(value) if wire.is_tensor(one)} - {device}
    if found:
        raise ElsewhereGiven(f"on {sorted(found)}")
