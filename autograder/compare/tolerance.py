"""How close is right: one table by dtype, and the only comparison of numbers; says no words.

The figures are starting points: they are to be calibrated on the assignments' variants (right
answers in other arithmetic must fit in) and mistakes (wrong ones must not).
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

import numpy as np

from autograder.compare.axes import Arguments
from autograder.compare.mismatch import Array

_DEPTH = 4  # of containers among the arguments


@dataclass(frozen=True)
class Tolerance:
    """A value may be off by `relative` of itself plus `of_largest` of the largest expected."""

    relative: float
    of_largest: float


TOLERANCES: Mapping[str, Tolerance] = {
    "float16": Tolerance(1e-2, 1e-2),
    "float32": Tolerance(1e-4, 1e-5),
    "float64": Tolerance(1e-9, 1e-10),
}


def floating_arrays(arguments: Arguments) -> list[Array]:
    """The floating-point arrays among the arguments, those in containers too."""
    values = arguments.values() if isinstance(arguments, Mapping) else arguments
    return [array for array in _arrays(list(values), 0) if array.dtype.kind == "f"]


def _arrays(value: object, depth: int) -> Iterator[Array]:
    if isinstance(value, np.ndarray):
        yield value
    elif isinstance(value, list | tuple | Mapping) and depth <= _DEPTH:
        for one in value.values() if isinstance(value, Mapping) else value:
            yield from _arrays(one, depth + 1)


def tolerance_of(got: Array, arguments: Arguments) -> Tolerance:
    """What `got` may be off by, see `judged_as`."""
    return TOLERANCES[judged_as(got, arguments)]


def judged_as(got: Array, arguments: Arguments) -> str:
    """The dtype that decides how close is right: the narrowest floating-point array among the
    arguments; without one, `got`, which may then be single precision but no narrower: a student
    does not choose to be judged loosely."""
    dtypes = [array.dtype for array in floating_arrays(arguments)]
    if not dtypes:
        dtypes = [np.result_type(got.dtype, np.float32) if got.dtype.kind == "f" else got.dtype]
    narrowest = min(dtypes, key=lambda dtype: dtype.itemsize)
    return narrowest.name if narrowest.name in TOLERANCES else "float64"


@dataclass(frozen=True)
class Closeness:
    """What counts as the same value; made for one expected array.

    Args:
        largest: the largest finite magnitude of what is expected; 1 where that is 0.
    """

    tolerance: Tolerance
    largest: float

    @classmethod
    def to(cls, expected: Array, tolerance: Tolerance) -> Closeness:
        """The closeness asked of a value of which `expected` is the right one."""
        finite = np.abs(expected[np.isfinite(expected)])
        return cls(tolerance, float(finite.max(initial=0.0)) or 1.0)

    def wrong(self, got: Array, expected: Array) -> Array:
        """Where `got` is not `expected`; infinities and NaN have to stand in the same places.

        Args:
            got, expected: of the same shape; never broadcast.

        Returns:
            the same shape, boolean.
        """
        near = np.abs(got - expected) <= self.allowed(expected)  # NaN is near to nothing
        same = (got == expected) | (np.isnan(got) & np.isnan(expected))
        return np.asarray(~np.where(np.isfinite(expected), near, same))

    def allowed(self, expected: Array) -> Array:
        """How far a value may be off, at each place of `expected`."""
        relative = self.tolerance.relative * np.abs(expected)
        return np.asarray(relative + self.tolerance.of_largest * self.largest)

    def agree(self, got: Array, expected: Array) -> bool:
        """Whether the two are the same everywhere."""
        return got.shape == expected.shape and not bool(self.wrong(got, expected).any())


def comparable(array: Array) -> Array:
    """The values in the widest arithmetic that both sides have: float64, or complex128."""
    return np.asarray(array, np.complex128 if array.dtype.kind == "c" else np.float64)
