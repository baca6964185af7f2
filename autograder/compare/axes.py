"""What the axes are called, read from a reference's docstring; looks at no value but for its shape.

    Args:
        q: (..., n_q, d_k), one query a row.
        k: (..., n_k, d_k), one key a row.

    Returns:
        (..., n_q, n_k), row = query, column = key.

Several results stand one a line, each with its name. Where a docstring gives no shape, messages go
without names.
"""

from __future__ import annotations

import functools
import inspect
import re
import textwrap
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace

import numpy as np

from autograder.wire import is_tensor

Arguments = Sequence[object] | Mapping[str, object]
Shape = tuple[str, ...]  # ("...", "n_q", "d_k"): names, whole numbers, "1 or n_q"

ELLIPSIS = "..."
_AXIS = re.compile(r"\.\.\.|…|\w+(?:\s*(?:or|[-+*/·])\s*\w+)*\Z")
_HEADING = re.compile(r"(\w+):\s*\Z")
_SHAPE = re.compile(r"`{0,2}\(([^()]*)\)")
_ENTRY = re.compile(r"(\*{0,2}\w+(?:\s*,\s*\w+)*)(?:\s+\([^()]*\))?\s*:\s*(.*)")


@dataclass(frozen=True)
class Returned:
    """One result: its name ("" when the docstring gives none), its axes (None likewise)."""

    name: str = ""
    shape: Shape | None = None


@dataclass(frozen=True)
class Axes:
    """A function's parameters, and the axes of its arguments and results.

    Args:
        construct: the parameters of a class's constructor.
    """

    parameters: tuple[str, ...] = ()
    arguments: Mapping[str, Shape] = field(default_factory=dict)
    returns: tuple[Returned, ...] = ()
    construct: tuple[str, ...] = ()

    def names_of(self, count: int) -> list[str]:
        """The names of so many positional arguments; those that share a parameter (`*masks`) are
        numbered."""
        names = list(self.parameters[:count])
        last = names[-1] if names else "argument"
        return [*names, *(f"{last} {at}" for at in range(2, count - len(names) + 2))]

    def sizes(self, arguments: Arguments) -> dict[str, int]:
        """Each axis name's size in these arguments, in the docstring's order.

        A whole-number argument that has an axis' name (`n` of `positional_encoding(n, d_model)`)
        is that axis' size. Where two arguments disagree, the first decides.
        """
        values = self._by_name(arguments)
        sizes: dict[str, int] = {}
        for name, shape in self.arguments.items():
            for axis, size in bind(shape, values.get(name)):
                sizes.setdefault(axis, size)
        for axis in self._names():
            value = values.get(axis)
            if isinstance(value, int) and not isinstance(value, bool):
                sizes.setdefault(axis, value)
        return sizes

    def result(self, at: int, count: int) -> Returned:
        """Result number `at` (from 0) of `count`."""
        return self.returns[at] if len(self.returns) == count else Returned()

    def _names(self) -> list[str]:
        shapes = [*self.arguments.values(), *(one.shape or () for one in self.returns)]
        return [axis for shape in shapes for axis in shape if axis.isidentifier()]

    def _by_name(self, arguments: Arguments) -> Mapping[str, object]:
        if isinstance(arguments, Mapping):
            return arguments
        return dict(zip(self.parameters, arguments, strict=False))


def bind(shape: Shape, value: object) -> Iterator[tuple[str, int]]:
    """Each plain name in `shape` with its size in `value`; nothing where they do not fit."""
    if not (isinstance(value, np.ndarray) or is_tensor(value)):
        return
    tail = tail_of(shape, value.ndim)
    if tail is None:
        return
    for axis, size in zip(tail, value.shape[value.ndim - len(tail) :], strict=True):
        if axis.isidentifier():
            yield axis, size


def tail_of(shape: Shape | None, ndim: int) -> Shape | None:
    """The axes after the batch axes, each with a name; None when `ndim` does not fit."""
    if shape is None or ELLIPSIS in shape[1:]:
        return None
    if shape[:1] == (ELLIPSIS,):
        return shape[1:] if ndim >= len(shape) - 1 else None
    return shape if ndim == len(shape) else None


@functools.cache
def axes_of(function: Callable[..., object]) -> Axes:
    """Read the axes off a reference's docstring and signature; what it does not say stays empty.

    Of a class they are those of its `forward`, and of the weights under `Attributes:` of its own.
    """
    forward = getattr(function, "forward", None)
    if inspect.isclass(function) and forward is not None:
        axes = axes_of(forward)
        weights = _entries(_sections(inspect.getdoc(function) or "").get("Attributes", []))
        named = {one.name: one.shape for one in weights if one.shape is not None}
        arguments = {**axes.arguments, **named}
        return replace(axes, arguments=arguments, construct=_parameters(function))
    sections = _sections(inspect.getdoc(function) or "")
    arguments = {
        name: shape
        for one in _entries(sections.get("Args", []))
        for name, shape in [(one.name, one.shape)]
        if shape is not None
    }
    returns = sections.get("Returns", [])
    alone = _leading_shape(" ".join(line.strip() for line in returns))
    results = (Returned("", alone),) if alone is not None else tuple(_entries(returns))
    return Axes(_parameters(function) or tuple(arguments), arguments, results)


def _parameters(function: Callable[..., object]) -> tuple[str, ...]:
    try:
        names = tuple(inspect.signature(function).parameters)
    except (TypeError, ValueError):
        return ()
    return names[1:] if names[:1] == ("self",) else names


def _sections(doc: str) -> dict[str, list[str]]:
    """The lines under each heading, such as `Args:`, without their common indentation."""
    sections: dict[str, list[str]] = {}
    lines: list[str] = []
    for line in doc.splitlines():
        heading = _HEADING.match(line)
        if heading:
            lines = sections.setdefault(heading.group(1), [])
        elif line[:1].strip():  # a paragraph at the margin ends the section
            lines = []
        else:
            lines.append(line)
    return {name: textwrap.dedent("\n".join(found)).split("\n") for name, found in sections.items()}


def _entries(lines: Sequence[str]) -> Iterator[Returned]:
    """`name: (shape), words` of each line at the margin; deeper lines carry an entry on."""
    joined: list[str] = []
    for line in lines:
        if line[:1].strip():
            joined.append(line)
        elif joined and line.strip():
            joined[-1] += " " + line.strip()
    for text in joined:
        entry = _ENTRY.match(text)
        if entry:
            for name in entry.group(1).split(","):
                yield Returned(name.strip(" *"), _leading_shape(entry.group(2)))


def _leading_shape(text: str) -> Shape | None:
    """The axes of a text that begins with a shape; "(optional)" is none, as it has no comma."""
    found = _SHAPE.match(text.strip())
    if not found or ("," not in found.group(1) and found.group(1).strip()):
        return None
    axes = [axis.strip() for axis in found.group(1).split(",")]
    axes = axes[:-1] if axes[-1] == "" else axes
    if not all(_AXIS.match(axis) for axis in axes):
        return None
    return tuple(ELLIPSIS if axis == "…" else axis for axis in axes)
