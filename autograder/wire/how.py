"""How a call is made, beside its arguments."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Literal

MEASURES = ("operations", "flops", "largest", "peak", "depth")
Way = Literal["called", "measured", "moved", "described"]


@dataclass(frozen=True)
class How:
    """How a call is made.

    Args:
        upstream: gradients of what it gives, one for each floating-point tensor; those of the
            arguments are then asked for.
        construct: what a class's constructor takes, where what is called is an instance; None for
            a function.
        weights: of the instance, by name.
        way: `measured`, its cost is asked for as well; `moved`, its tensors are on another device,
            and whether it stays there is what it gives; `described`, nothing is called, and zeros
            in the form of an instance's own weights are what it gives.
        device: where its tensors are to be; "" for where they are.
    """

    upstream: tuple[Any, ...] = ()
    construct: tuple[Any, ...] | None = None
    weights: Mapping[str, Any] = field(default_factory=dict)
    way: Way = "called"
    device: str = ""


PLAIN = How()
