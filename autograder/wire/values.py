"""Python values ⇄ nodes plus the bytes of arrays and tensors; never runs a value's own code.

What cannot be sent becomes `Foreign`, with a kind from a fixed list: a name that a student chose
never crosses.
"""

from __future__ import annotations

import math
import types
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any, cast

import numpy as np
import numpy.typing as npt

from autograder.wire.nodes import (
    DTYPES,
    MAX_AXES,
    MAX_AXIS,
    MAX_BODY,
    MAX_DEPTH,
    MAX_NODES,
    MAX_TEXT,
    TOO_LARGE,
    ArrayNode,
    Buffer,
    DictNode,
    DtypeNode,
    Foreign,
    ForeignKind,
    FunctionNode,
    GeneratorNode,
    ListNode,
    Node,
    TensorNode,
    TupleNode,
    Value,
    WireError,
)
from autograder.wire.tensors import (
    bytes_of,
    device_name,
    dtype_called,
    dtype_name,
    dtype_of,
    generator_from,
    is_generator,
    is_tensor,
    state_of,
    tensor_from,
    width_of,
)

if TYPE_CHECKING:
    from torch import Generator, Tensor

Function = Callable[..., object]
Found = Callable[[int], Function]  # a sender's function, by its number


class _TooLarge(Exception):
    """The value at hand is more than one message holds."""


class Encoder:
    """Turns values into nodes and collects their arrays' bytes.

    Everything is copied: the bytes are those of this moment, whatever the value does later. A
    value is what its type says, and it is read by the built-in type's own methods: what a subclass
    puts in their place is not called.

    Args:
        functions: takes what can be called, which is then sent by its number there. Where there is
            none, no function can be sent.
        dtypes: these can be sent, and a device as its name: they are arguments, and no values.
    """

    def __init__(self, functions: list[Function] | None = None, *, dtypes: bool = False) -> None:
        self._dtypes = dtypes
        self.buffers: list[bytes] = []
        self._functions = functions
        self.foreign: list[ForeignKind] = []  # the kinds of what could not be sent
        self._bytes = 0
        self._nodes = 0

    def value(self, value: object) -> Node:
        """The node of one value; a value that cannot be sent becomes `Foreign`.

        What is too large is too large as a whole: no half of it is sent.
        """
        count, before = len(self.buffers), (self._bytes, self._nodes)
        try:
            return self._node(value, 0)
        except _TooLarge:
            del self.buffers[count:]
            self._bytes, self._nodes = before
            return self._foreign(TOO_LARGE)

    def _node(self, value: Any, depth: int) -> Node:
        self._nodes += 1
        if depth > MAX_DEPTH or self._nodes > MAX_NODES:
            raise _TooLarge
        kind = type(value)
        if value is None or kind is bool:
            return cast("Node", value)
        if issubclass(kind, str):  # before the numpy scalars: np.str_ is text
            short = str.__len__(value) <= MAX_TEXT
            return _clean(value) if short else self._foreign("text too long to send")
        if issubclass(kind, (np.ndarray, np.generic)):
            return self._array(np.asarray(value))
        if issubclass(kind, int):
            number = int.__int__(value)
            small = -(1 << 63) <= number < 1 << 63
            return number if small else self._foreign("an integer too large to send")
        if issubclass(kind, float):
            return float.__float__(value)
        if is_tensor(value):
            return self._tensor(value)
        if is_generator(value):
            return self._generator(value)
        return self._container(value, kind, depth + 1)

    def _container(self, value: Any, kind: type, depth: int) -> Node:
        if issubclass(kind, list):
            return ListNode([self._node(item, depth) for item in list.__iter__(value)])
        if issubclass(kind, tuple):
            return TupleNode([self._node(item, depth) for item in tuple.__iter__(value)])
        if issubclass(kind, dict):
            items = list(dict.items(value))
            if all(issubclass(type(key), str) for key, _ in items):
                return DictNode([(_clean(key), self._node(item, depth)) for key, item in items])
        name, device = dtype_name(value), device_name(value)
        if self._dtypes and name is not None:
            return DtypeNode(name)
        if self._dtypes and device:
            return device
        if self._functions is not None and callable(value):
            self._functions.append(value)
            return FunctionNode(len(self._functions) - 1)
        return self._foreign(value.kind if kind is Foreign else _kind(value))

    def _array(self, array: npt.NDArray[Any]) -> Node:
        dtype = array.dtype.newbyteorder("=")
        if dtype == np.longdouble:  # as wide as the grader's own arithmetic is enough
            dtype = np.dtype(np.float64)
        name = DTYPES.get(dtype)
        if name is None or array.ndim > MAX_AXES:
            return self._foreign("an array of objects")
        self._claim(array.size * dtype.itemsize)
        self.buffers.append(array.astype(dtype, copy=False).tobytes())
        return ArrayNode(name, list(array.shape))

    def _tensor(self, tensor: Tensor) -> Node:
        name = dtype_of(tensor)
        if name is None or tensor.ndim > MAX_AXES:
            return self._foreign("a tensor without plain values")
        self._claim(tensor.numel() * width_of(name))
        self.buffers.append(bytes_of(tensor))
        return TensorNode(name, list(tensor.shape))

    def _generator(self, generator: Generator) -> Node:
        state = bytes_of(state_of(generator))
        self._claim(len(state))
        self.buffers.append(state)
        return GeneratorNode(len(state))

    def _claim(self, count: int) -> None:
        """Take so many bytes of the message, before one of them is copied."""
        self._bytes += count
        if self._bytes > MAX_BODY:
            raise _TooLarge

    def _foreign(self, kind: ForeignKind) -> Foreign:
        self.foreign.append(kind)
        return Foreign(kind)


def _clean(text: str) -> str:
    """Exactly a `str`, without the lone surrogates that no encoding can carry."""
    return str.__str__(text).encode("utf-8", "replace").decode("utf-8")


def _kind(value: object) -> ForeignKind:
    kind = type(value)
    if issubclass(kind, types.GeneratorType):
        return "a generator"
    if issubclass(kind, (set, frozenset)):
        return "a set"
    if issubclass(kind, (bytes, bytearray, memoryview)):
        return "bytes"
    return "a function" if callable(value) else "an object of another kind"


class Decoder:
    """Turns nodes back into values, taking the arrays' bytes in order from one body.

    Args:
        found: the sender's functions. Where there is none, nothing of the sender's is made that
            acts: a function is no value, and of a generator there is the state alone.
        dtypes: there may be some.
    """

    def __init__(self, body: Buffer, found: Found | None = None, *, dtypes: bool = False) -> None:
        self._dtypes = dtypes
        self._body = memoryview(body)
        self._found = found
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
        if isinstance(node, TensorNode):
            return self._tensor(node)
        if isinstance(node, ListNode):
            return [self.value(item, depth + 1) for item in node.items]
        if isinstance(node, TupleNode):
            return tuple(self.value(item, depth + 1) for item in node.items)
        if isinstance(node, DictNode):
            return {key: self.value(item, depth + 1) for key, item in node.items}
        if isinstance(node, GeneratorNode):
            return self._generator(node)
        if isinstance(node, FunctionNode):
            if self._found is None:
                raise WireError("a function where none can be")
            return self._found(node.number)
        if isinstance(node, DtypeNode):
            if not self._dtypes:
                raise WireError("a dtype where none can be")
            return dtype_called(node.name)
        if isinstance(node, str) and len(node) > MAX_TEXT:
            raise WireError("text too long")
        return node

    def _taken(self, shape: list[int], width: int) -> memoryview:
        """The next bytes of the body, as many as an array of this shape has."""
        if len(shape) > MAX_AXES or not all(0 <= size <= MAX_AXIS for size in shape):
            raise WireError("an array of impossible shape")
        length = math.prod(shape) * width
        if length > len(self._body) - self._at:
            raise WireError("an array larger than its bytes")
        self._at += length
        return self._body[self._at - length : self._at]

    def _tensor(self, node: TensorNode) -> Tensor | Foreign:
        taken = self._taken(node.shape, width_of(node.dtype))
        try:
            tensor = tensor_from(bytearray(taken), node.dtype, node.shape)
        except RuntimeError:
            raise WireError("a tensor of impossible shape") from None
        return Foreign("a tensor") if tensor is None else tensor

    def _generator(self, node: GeneratorNode) -> Generator | Tensor | Foreign:
        state = self._tensor(TensorNode("uint8", [node.size]))
        if self._found is None or isinstance(state, Foreign):
            return state
        try:
            return generator_from(state)
        except RuntimeError:
            raise WireError("a generator of impossible state") from None

    def _array(self, node: ArrayNode) -> npt.NDArray[Any]:
        dtype = np.dtype(node.dtype)
        raw = np.frombuffer(self._taken(node.shape, dtype.itemsize), np.uint8)
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


def decode_values(
    nodes: Sequence[Node], body: Buffer, found: Found | None = None, *, dtypes: bool = False
) -> list[Value]:
    """The inverse of `Encoder.value`, for several values; raises `WireError`."""
    decoder = Decoder(body, found, dtypes=dtypes)
    values = [decoder.value(node) for node in nodes]
    decoder.finish()
    return values
