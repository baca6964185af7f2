"""What is wrong with a function or class before it is called; hidden checks have phrases for it."""

from __future__ import annotations


class FunctionMissing(Exception):
    """The file defines no function of that name."""


class ElsewhereGiven(Exception):
    """What a call gave is on another device than its arguments."""


class NotAModule(Exception):
    """The class makes something that is no torch.nn.Module."""


class WeightsDiffer(Exception):
    """The class has weights of other names or shapes than the step asks for."""
