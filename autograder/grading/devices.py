"""Where and in which dtype a check's cases run: one body for all of them. A case that needs a GPU
is skipped, with the reason, where there is none or none was asked for."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
import numpy.typing as npt

if TYPE_CHECKING:
    from torch import Tensor

CPU, CUDA = "cpu", "cuda"
DEVICES = (CPU, CUDA)
NO_GPU_ASKED = "needs a GPU: grade with --device cuda where there is one"
NO_GPU_HERE = "needs a GPU: torch finds none here"


@dataclass(frozen=True)
class Device:
    """One case of a check with the fixture `device`.

    Args:
        name: "cpu" or "cuda"; the student's code gets its tensors there.
        dtype: the name of torch's.
    """

    name: str
    dtype: str

    def __str__(self) -> str:
        return f"{self.name}-{self.dtype}"

    def tensor(self, array: npt.ArrayLike) -> Tensor:
        """These numbers as a tensor of the case's dtype; it stays here until it is sent."""
        import torch

        made: Tensor = torch.from_numpy(np.asarray(array)).to(getattr(torch, self.dtype))
        return made


CASES = (Device(CPU, "float64"), Device(CUDA, "float32"), Device(CUDA, "bfloat16"))


def why_not(device: Device, asked: str) -> str:
    """Why a case cannot run, "" where it can.

    Args:
        asked: the device that the run was started for.
    """
    if device.name == CPU:
        return ""
    if asked != CUDA:
        return NO_GPU_ASKED
    return "" if gpu_here() else NO_GPU_HERE


def gpu_here() -> bool:
    """Whether torch finds a GPU; its driver is not started for that."""
    import torch

    return bool(torch.cuda.is_available())
