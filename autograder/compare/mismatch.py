"""The verdict on a wrong value, and bounded plain text of any value; compares nothing."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Literal

import numpy as np
import numpy.typing as npt

from autograder.wire import Foreign, dtype_of, is_tensor, to_numpy

Array = npt.NDArray[Any]
Kind = Literal["structure", "shape", "dtype", "finite", "values", "modified", "gradient"]

MESSAGE_LIMIT = 600
DETAIL_LIMIT = 2_000
_ITEMS = 6  # of a container, in a detail
_DEPTH = 3
_AXES = 8  # of a shape, in words


@dataclass(frozen=True)
class Mismatch:
    """Why a value is not right.

    Args:
        kind: what differs first.
        message: for the student; of a hidden check it is one of our phrases with names from the
            docstring, and holds no size, no value and nothing that a student wrote.
        detail: for instructors only: shapes, dtypes, values; plain ASCII, at most 2,000 characters.
    """

    kind: Kind
    message: str
    detail: str


def mismatch(kind: Kind, message: str, detail: str) -> Mismatch:
    """A `Mismatch` whose texts are bounded."""
    return Mismatch(kind, bounded(message, MESSAGE_LIMIT), bounded(detail, DETAIL_LIMIT))


def bounded(text: str, limit: int) -> str:
    """`text`, or its beginning with an ellipsis, in at most `limit` characters."""
    return text if len(text) <= limit else text[: limit - 4] + " ..."


def show(value: object) -> str:
    """One number or text, in at most 80 ASCII characters."""
    if is_tensor(value):
        value = to_numpy(value)
    if isinstance(value, np.ndarray | np.generic):
        value = value.item()
    if isinstance(value, float | np.floating):
        return f"{float(value):.6g}"
    if isinstance(value, int) and value.bit_length() > 64:
        return "a very large integer"
    if isinstance(value, str):
        return ascii(value) if len(value) <= 60 else ascii(value[:60])[:76] + " ..."
    return ascii(value)[:80] if isinstance(value, bool | int | complex | None) else "?"


def show_shape(shape: tuple[int, ...]) -> str:
    """ "(5, 7)", or how many axes there are when they are many."""
    return str(shape) if len(shape) <= _AXES else f"({len(shape)} axes)"


def describe(value: object, depth: int = 0) -> str:
    """What a value is, for an instructor: type, dtype and shape, never all of its content."""
    if isinstance(value, np.ndarray):
        of = f" {show(value)}" if value.ndim == 0 and value.dtype.kind in "biufc" else ""
        return f"{value.dtype} array {show_shape(value.shape)}{of}"
    if is_tensor(value):
        of = f" {show(value)}" if value.ndim == 0 else ""
        return f"{dtype_of(value)} tensor {show_shape(tuple(value.shape))}{of}"
    if isinstance(value, list | tuple | Mapping):
        items = list(value.values()) if isinstance(value, Mapping) else value
        inner = [describe(one, depth + 1) for one in items[:_ITEMS]] if depth < _DEPTH else ["..."]
        more = [f"and {len(items) - _ITEMS} more"] if len(items) > _ITEMS else []
        return bounded(f"{type(value).__name__} of {len(items)} [{', '.join(inner + more)}]", 600)
    if isinstance(value, Foreign):
        return f"foreign: {value.kind}"
    if value is None:
        return "None"
    return f"{type(value).__name__} {show(value)}"


def difference(wrong: Array, got: Array, expected: Array) -> tuple[str, str, str]:
    """The first index where `wrong` holds, and what stands there, all in plain text.

    Args:
        wrong: (...), boolean, at least one True.
        got, expected: of the same shape.
    """
    at = np.unravel_index(int(np.argmax(wrong)), wrong.shape) if wrong.ndim else ()
    where = f"[{', '.join(str(int(index)) for index in at)}]"
    return where, show(got[at]), show(expected[at])
