"""Python values ⇄ a typed tree plus raw array bytes; never runs code that a value brings along.

The tree (`Node`) is small and typed, so msgspec checks it while decoding; the bytes of the arrays
travel beside it, in order. What cannot be sent becomes `Foreign`, with a kind from a fixed list:
a name that a student chose never crosses.
"""

from __future__ import annotations

import math
import types
from collections.abc import Sequence
from typing import Any, Literal, Union, get_args

import msgspec
import numpy as np
import numpy.typing as npt

MAX_DEPTH = 16
MAX_NODES = 20_000
MAX_TEXT = 65_536
MAX_AXES = 32
MAX_AXIS = 1 << 31

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
DTYPES = frozenset(get_args(DType))
ForeignKind = Literal[
    "an array of objects",
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


class WireError(Exception):
    """The other side sent something that is no value of ours."""


class Foreign(msgspec.Struct, frozen=True, tag="foreign"):
    """Stands for a value that cannot be sent; `kind` is from a fixed list."""

    kind: ForeignKind


class ArrayNode(msgspec.Struct, frozen=True, tag="array"):
    dtype: DType
    shape: list[int]


class ListNode(msgspec.Struct, frozen=True, tag="list"):
    items: list[Node]


class TupleNode(msgspec.Struct, frozen=True, tag="tuple"):
    items: list[Node]


class DictNode(msgspec.Struct, frozen=True, tag="dict"):
    items: list[tuple[str, Node]]


Node = Union[None, bool, int, float, str, ArrayNode, ListNode, TupleNode, DictNode, Foreign]
Value = Any  # None, bool, int, float, str, np.ndarray, Foreign, and list, tuple, dict of these
Buffer = Union[bytes, bytearray, memoryview]


class Encoder:
    """Turns values into nodes and collects their arrays' bytes.

    Everything is copied: the bytes are those of this moment, whatever the value does later.
    """

    def __init__(self) -> None:
        self.buffers: list[bytes] = []
        self._nodes = 0

    def node(self, value: object, depth: int = 0) -> Node:
        """The node of one value; a value that cannot be sent becomes `Foreign`."""
        self._nodes += 1
        if depth > MAX_DEPTH or self._nodes > MAX_NODES:
            return Foreign("a structure too large to send")
        if value is None or isinstance(value, bool):
            return value
        if isinstance(value, (np.ndarray, np.generic)):
            return self._array(np.array(value, order="C", copy=True, subok=False))
        if isinstance(value, int):
            small = -(1 << 63) <= value < 1 << 63
            return int(value) if small else Foreign("an integer too large to send")
        if isinstance(value, float):
            return float(value)
        if isinstance(value, str):
            return _text(value)
        if isinstance(value, (list, tuple, dict)):
            return self._container(value, depth)
        return value if isinstance(value, Foreign) else Foreign(_kind(value))

    def _container(self, value: list[Any] | tuple[Any, ...] | dict[Any, Any], depth: int) -> Node:
        if isinstance(value, dict):
            if not all(isinstance(key, str) for key in value):
                return Foreign("an object of another kind")
            return DictNode([(key, self.node(item, depth + 1)) for key, item in value.items()])
        kind = ListNode if isinstance(value, list) else TupleNode
        return kind([self.node(item, depth + 1) for item in value])

    def _array(self, array: npt.NDArray[Any]) -> Node:
        if array.dtype == np.longdouble:  # as wide as the grader's own arithmetic is enough
            array = array.astype(np.float64)
        if not array.dtype.isnative:
            array = array.astype(array.dtype.newbyteorder("="))
        name = array.dtype.name
        if name not in DTYPES or array.ndim > MAX_AXES:
            return Foreign("an array of objects")
        self.buffers.append(array.tobytes())
        return msgspec.convert({"type": "array", "dtype": name, "shape": array.shape}, ArrayNode)


def _text(value: str) -> Node:
    text = str(value)
    if len(text) > MAX_TEXT:
        return Foreign("text too long to send")
    return text.encode("utf-8", "replace").decode("utf-8")


def _kind(value: object) -> ForeignKind:
    if callable(value):
        return "a function"
    if isinstance(value, types.GeneratorType):
        return "a generator"
    if isinstance(value, (set, frozenset)):
        return "a set"
    if isinstance(value, (bytes, bytearray, memoryview)):
        return "bytes"
    return "an object of another kind"


class Decoder:
    """Turns nodes back into values, taking the arrays' bytes in order from one body."""

    def __init__(self, body: Buffer) -> None:
        self._body = memoryview(body)
        self._at = 0
        self._nodes = 0

    def value(self, node: Node, depth: int = 0) -> Value:
        """The value of one node.

        Raises:
            WireError: it is too deep, too large, or its arrays do not fit the body.
        """
        self._nodes += 1
        if depth > MAX_DEPTH or self._nodes > MAX_NODES:
            raise WireError("a value nested too deep or too large")
        if isinstance(node, ArrayNode):
            return self._array(node)
        if isinstance(node, ListNode):
            return [self.value(item, depth + 1) for item in node.items]
        if isinstance(node, TupleNode):
            return tuple(self.value(item, depth + 1) for item in node.items)
        if isinstance(node, DictNode):
            return {key: self.value(item, depth + 1) for key, item in node.items}
        if isinstance(node, str) and len(node) > MAX_TEXT:
            raise WireError("text too long")
        return node

    def _array(self, node: ArrayNode) -> npt.NDArray[Any]:
        if len(node.shape) > MAX_AXES or not all(0 <= size <= MAX_AXIS for size in node.shape):
            raise WireError("an array of impossible shape")
        dtype = np.dtype(node.dtype)
        length = math.prod(node.shape) * dtype.itemsize
        if length > len(self._body) - self._at:
            raise WireError("an array larger than its bytes")
        raw = np.frombuffer(self._body[self._at : self._at + length], np.uint8)
        self._at += length
        try:
            if node.dtype == "bool":  # any other byte would be an impossible truth value
                return np.not_equal(raw, 0).reshape(node.shape)
            return np.array(raw.view(dtype).reshape(node.shape))
        except ValueError:
            raise WireError("an array of impossible shape") from None

    def finish(self) -> None:
        """Raise `WireError` unless every byte of the body was used."""
        if self._at != len(self._body):
            raise WireError("bytes left over after the last array")


def encode_values(values: Sequence[object]) -> tuple[list[Node], list[bytes]]:
    """Several values → their nodes and all their arrays' bytes, in order."""
    encoder = Encoder()
    return [encoder.node(value) for value in values], encoder.buffers


def decode_values(nodes: Sequence[Node], body: Buffer) -> list[Value]:
    """The inverse of `encode_values`; raises `WireError`."""
    decoder = Decoder(body)
    values = [decoder.value(node) for node in nodes]
    decoder.finish()
    return values
