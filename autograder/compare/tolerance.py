"""How close is right: one table by dtype, and the only comparison of numbers; says no words.

The figures are starting points: they are to be calibrated on the assignments' variants (right
answers in other arithmetic must fit in) and mistakes (wrong ones must not).
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from autograder.compare.axes import Arguments
from autograder.compare.mismatch import Array
from autograder.wire import dtype_name, dtype_of, is_tensor

_DEPTH = 4  # of containers among the arguments


@dataclass(frozen=True)
class Tolerance:
    """A value may be off by `relative` of itself plus `of_largest` of the largest expected."""

    relative: float
    of_largest: float


TOLERANCES: Mapping[str, Tolerance] = {
    "bfloat16": Tolerance(5e-2, 5e-2),
    "float16": Tolerance(1e-2, 1e-2),
    "float32": Tolerance(1e-4, 1e-5),
    "float64": Tolerance(1e-9, 1e-10),
}


def floating_dtypes(arguments: Arguments) -> list[str]:
    """The floating-point dtypes among the arguments and those of arrays and tensors there, in
    containers too."""
    values = arguments.values() if isinstance(arguments, Mapping) else arguments
    return [name for name in _dtypes(list(values), 0) if "float" in name]


def _dtypes(value: object, depth: int) -> Iterator[str]:
    if isinstance(value, np.ndarray):
        yield value.dtype.name
    elif is_tensor(value):
        yield str(dtype_of(value))
    elif (name := dtype_name(value)) is not None:
        yield name
    elif isinstance(value, list | tuple | Mapping) and depth <= _DEPTH:
        for one in value.values() if isinstance(value, Mapping) else value:
            yield from _dtypes(one, depth + 1)


def tolerance_of(got: Array, floating: Sequence[str]) -> Tolerance:
    """What `got` may be off by, see `judged_as`."""
    return TOLERANCES[judged_as(got, floating)]


def judged_as(got: Array, floating: Sequence[str]) -> str:
    """The dtype that decides how close is right: the narrowest of the floating-point ones among the
    arguments; without one, `got`, which may then be single precision but no narrower: a student
    does not choose to be judged loosely.

    Args:
        floating: as `floating_dtypes` has it.
    """
    names = list(floating)
    if not names and got.dtype.kind == "f":
        names = [np.result_type(got.dtype, np.float32).name]
    known = [name for name in names if name in TOLERANCES]
    return max(known, key=lambda name: TOLERANCES[name].relative, default="float64")


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
