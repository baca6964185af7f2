"""Tensors ⇄ their raw bytes. torch is looked up, never imported: where nobody imported it there are
no tensors, and what claims to be one is not taken for it."""

from __future__ import annotations

import math
import sys
from types import ModuleType
from typing import TYPE_CHECKING, Any, Literal, TypeGuard, get_args

import numpy as np
import numpy.typing as npt

if TYPE_CHECKING:
    from torch import Generator, Tensor, dtype

TensorDType = Literal[
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
    "bfloat16",
    "float32",
    "float64",
]
_NAMES = frozenset(get_args(TensorDType))


def torch_here() -> ModuleType | None:
    """torch, where this process has imported all of it."""
    module = sys.modules.get("torch")
    return module if isinstance(getattr(module, "Tensor", None), type) else None


def is_tensor(value: object) -> TypeGuard[Tensor]:
    """Whether `value` is a tensor."""
    torch = torch_here()
    return torch is not None and issubclass(type(value), torch.Tensor)


def is_generator(value: object) -> TypeGuard[Generator]:
    """Whether `value` is one of torch's generators of random numbers."""
    torch = torch_here()
    return torch is not None and issubclass(type(value), torch.Generator)


def state_of(generator: Generator) -> Tensor:
    """Where a generator stands, as bytes."""
    torch = torch_here()
    assert torch is not None, "there is a generator"
    state: Tensor = torch.Generator.get_state(generator)
    return state


def generator_from(state: Tensor) -> Generator:
    """The generator that goes on from a state; raises RuntimeError where it is none."""
    torch = torch_here()
    assert torch is not None, "there is a tensor"
    made: Generator = torch.Generator()
    made.set_state(state)
    return made


def dtype_name(value: object) -> TensorDType | None:
    """The name of one of torch's dtypes; None where `value` is none, or none that can be sent."""
    torch = torch_here()
    name: Any = str(value).removeprefix("torch.") if torch and type(value) is torch.dtype else ""
    return name if name in _NAMES else None


def device_name(value: object) -> str:
    """The name of one of torch's devices, such as "cpu"; "" where `value` is none."""
    torch = torch_here()
    return str(value) if torch and type(value) is torch.device else ""


def dtype_called(name: TensorDType) -> dtype | None:
    """The dtype of that name; None where torch is not here."""
    return getattr(torch_here(), name, None)


def dtype_of(tensor: Tensor) -> TensorDType | None:
    """Its dtype's name; None where its numbers cannot be sent (complex, sparse, without values)."""
    name: Any = str(tensor.dtype).removeprefix("torch.")
    plain = str(tensor.layout) == "torch.strided" and not tensor.is_meta
    return name if plain and name in _NAMES else None


def bytes_of(tensor: Tensor) -> bytes:
    """The numbers of a tensor of a dtype that can be sent, in order, wherever they lie."""
    torch = torch_here()
    assert torch is not None, "there is a tensor"
    flat = torch.Tensor.detach(tensor).cpu().contiguous().reshape(-1)
    if flat.stride() != (1,):  # of one entry, any stride is taken for contiguous
        flat = flat.clone(memory_format=torch.contiguous_format)
    data: bytes = flat.view(torch.uint8).numpy().tobytes()
    return data


def to_numpy(tensor: Tensor) -> npt.NDArray[Any]:
    """The same numbers as an array; those of bfloat16 in the next wider dtype that NumPy has."""
    torch = torch_here()
    assert torch is not None, "there is a tensor"
    plain = torch.Tensor.detach(tensor).cpu()
    array: npt.NDArray[Any] = (plain.float() if plain.dtype == torch.bfloat16 else plain).numpy()
    return array


def like(tensor: Tensor, array: npt.NDArray[Any]) -> Tensor:
    """These numbers as a tensor of the same dtype as `tensor`."""
    torch = torch_here()
    assert torch is not None, "there is a tensor"
    made: Tensor = torch.from_numpy(np.array(array)).to(tensor.dtype)
    return made


def width_of(name: str) -> int:
    """The bytes of one number of this dtype."""
    return 1 if name == "bool" else int("".join(filter(str.isdigit, name))) // 8


def tensor_from(raw: bytearray, name: TensorDType, shape: list[int]) -> Tensor | None:
    """The tensor of these bytes, which become its own; None where torch is not here.

    Raises:
        RuntimeError: there is no such shape.
    """
    torch = torch_here()
    if torch is None:
        return None
    made: Tensor
    if not math.prod(shape):
        made = torch.empty(shape, dtype=getattr(torch, name))
    elif name == "bool":  # any other byte than 0 and 1 would be an impossible truth value
        made = torch.frombuffer(raw, dtype=torch.uint8).ne(0).reshape(shape)
    else:
        flat = torch.frombuffer(raw, dtype=torch.uint8)
        made = flat.view(getattr(torch, name)).reshape(shape)
    return made
