"""Functions of the grader's, seen from a worker: their values come over the channel, and so do
their derivatives, backward and forward, under torch's transforms too."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

from autograder.worker.gradients import floating

# Asks for the value of a function; or, with upstream gradients, for those of its arguments; or,
# with tangents, for the value's.
Ask = Callable[["Asked"], object]


class Asked(NamedTuple):
    """What is asked of a function."""

    name: str
    positional: Sequence[Any]
    named: dict[str, Any]
    upstream: Sequence[Any] = ()
    tangents: Sequence[Any] = ()


def function_of(name: str, ask: Ask) -> Callable[..., object]:
    """The function of that name."""

    def asked(*arguments: object, **named: object) -> object:
        call = Asked(name, arguments, named)
        if any(map(floating, (*arguments, *named.values()))):
            return _through_the_graph(call, ask)
        return ask(call)

    asked.__name__ = asked.__qualname__ = name
    return asked


def _through_the_graph(call: Asked, ask: Ask) -> object:
    """The value, as a node of the gradient graph, where it is tensors alone."""
    single = False

    def value(*inputs: Any) -> tuple[Any, ...]:
        nonlocal single
        answer = ask(_with(call, inputs))
        single = not isinstance(answer, list | tuple)
        return (answer,) if single else tuple(answer)  # type: ignore[arg-type]

    def backward(inputs: Sequence[Any], upstream: Sequence[Any]) -> Any:
        return ask(_with(call, inputs)._replace(upstream=list(upstream)))

    def forward(inputs: Sequence[Any], tangents: Sequence[Any]) -> Any:
        return ask(_with(call, inputs)._replace(tangents=list(tangents)))

    inputs = [one for one in (*call.positional, *call.named.values()) if floating(one)]
    from autograder.worker.graph import Value

    outputs = Value.apply(value, backward, forward, *inputs)
    return outputs[0] if single else outputs


def _with(call: Asked, inputs: Sequence[Any]) -> Asked:
    """The same call with these in the place of its floating-point tensors."""
    following = iter(inputs)

    def taken(one: Any) -> Any:
        return next(following) if floating(one) else one

    positional = [taken(one) for one in call.positional]
    named = {name: taken(one) for name, one in call.named.items()}
    return call._replace(positional=positional, named=named)
