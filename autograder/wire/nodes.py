"""The typed tree that values become, which msgspec checks while decoding; knows no value's class.

The bytes of arrays and tensors travel beside it, in order.
"""

from __future__ import annotations

from typing import Any, Literal, get_args

import msgspec
import numpy as np

from autograder.wire.tensors import TensorDType

MAX_DEPTH = 16
MAX_NODES = 20_000
MAX_TEXT = 65_536
MAX_AXES = 32
MAX_AXIS = 1 << 31
MAX_BODY = 64 << 20  # the bytes of all arrays of one message

DType = Literal[
    "bool",
    "int8",
    "int16",
    "int32",
    "int64",
    "uint8",
    "uint16",
    "uint32",
    "uint64",
    "float16",
    "float32",
    "float64",
    "complex64",
    "complex128",
]
DTYPES: dict[np.dtype[Any], DType] = {np.dtype(name): name for name in get_args(DType)}
ForeignKind = Literal[
    "an array of objects",
    "a tensor",
    "a tensor without plain values",
    "a function",
    "a generator",
    "a set",
    "bytes",
    "an integer too large to send",
    "text too long to send",
    "a structure too large to send",
    "an object of another kind",
]
FOREIGN_KINDS: tuple[ForeignKind, ...] = get_args(ForeignKind)
TOO_LARGE: ForeignKind = "a structure too large to send"


class WireError(Exception):
    """The other side sent something that is no value of ours."""


class Foreign(msgspec.Struct, frozen=True, tag="foreign"):
    """Stands for a value that cannot be sent; `kind` is from a fixed list."""

    kind: ForeignKind


class ArrayNode(msgspec.Struct, frozen=True, tag="array"):
    dtype: DType
    shape: list[int]


class TensorNode(msgspec.Struct, frozen=True, tag="tensor"):
    dtype: TensorDType
    shape: list[int]


class ListNode(msgspec.Struct, frozen=True, tag="list"):
    items: list[Node]


class TupleNode(msgspec.Struct, frozen=True, tag="tuple"):
    items: list[Node]


class DictNode(msgspec.Struct, frozen=True, tag="dict"):
    items: list[tuple[str, Node]]


class DtypeNode(msgspec.Struct, frozen=True, tag="dtype"):
    """One of torch's dtypes."""

    name: TensorDType


class FunctionNode(msgspec.Struct, frozen=True, tag="function"):
    """A function of the sender's, which stays there, by its number among those of the message."""

    number: int


class GeneratorNode(msgspec.Struct, frozen=True, tag="generator"):
    """A generator of random numbers; the body has its state."""

    size: int


Scalar = None | bool | int | float | str
Node = (
    Scalar
    | ArrayNode
    | TensorNode
    | ListNode
    | TupleNode
    | DictNode
    | DtypeNode
    | FunctionNode
    | GeneratorNode
    | Foreign
)
Value = Any  # Scalar, np.ndarray, Tensor, Foreign, and list, tuple, dict of these
Buffer = bytes | bytearray | memoryview
