"""Gradients of a call on tensors, from a given upstream gradient: of a student's function, a
reference or a known mistake."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from autograder import wire


def floating(value: object) -> bool:
    """Whether a gradient can reach this value."""
    return wire.is_tensor(value) and value.is_floating_point()


def outputs_of(answer: object) -> list[Any]:
    """The tensors of an answer that can have an upstream gradient, in order."""
    several = answer if isinstance(answer, list | tuple) else [answer]
    return [one for one in several if floating(one)]


def call_with_gradients(
    function: Callable[..., Any], given: wire.Arguments | wire.Question, upstream: Sequence[Any]
) -> tuple[Any, list[Any]]:
    """Call a function, and hand the upstream gradients back through it.

    Args:
        given: its arguments, of which floating-point tensors are made to require a gradient.
        upstream: one gradient for each floating-point tensor of the answer, of its shape. Where the
            answer has others, nothing is handed back.

    Returns:
        what it gave, and for each argument the gradient; None where none reaches it.
    """
    import torch

    inputs: list[Any] = [one for one in given.values if floating(one)]
    for one in inputs:
        one.requires_grad_()
    answer = function(*given.positional, **given.named)
    outputs = outputs_of(answer)
    fits = [one.shape for one in outputs] == [one.shape for one in upstream]
    above = upstream if fits else []
    reached = [pair for pair in zip(outputs, above, strict=False) if pair[0].requires_grad]
    found: Sequence[Any] = [None] * len(inputs)
    if inputs and reached:
        values = [value for value, _ in reached]
        handed = [one.to(value.dtype) for value, one in reached]
        found = torch.autograd.grad(values, inputs, handed, allow_unused=True)
    by_input = iter(found)
    return answer, [next(by_input) if floating(one) else None for one in given.values]


def tangents_of(function: Callable[..., Any], question: wire.Question) -> list[Any]:
    """The tangents of what a function gives, for those of its floating-point arguments."""
    import torch

    values = question.values
    places = [at for at, one in enumerate(values) if floating(one)]

    def of_these(*inputs: Any) -> tuple[Any, ...]:
        now = dict(enumerate(values)) | dict(zip(places, inputs, strict=True))
        several = len(question.positional)
        positional = [now[at] for at in range(several)]
        named = {name: now[several + at] for at, name in enumerate(question.named)}
        return tuple(outputs_of(function(*positional, **named)))

    primals = tuple(values[at] for at in places)
    return list(torch.func.jvp(of_these, primals, tuple(question.tangents))[1])
