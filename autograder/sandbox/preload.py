"""What is imported before a worker is confined: the assignment's packages, and the modules of the
standard library that steps import most, so that they are there where no file may be opened."""

from __future__ import annotations

import importlib
import warnings
from collections.abc import Sequence

from autograder.worker.compiler import import_compiler

_STANDARD = """
    abc bisect collections collections.abc contextlib copy dataclasses datetime decimal enum
    fractions functools heapq inspect io itertools json logging math numbers operator os pathlib
    pprint random re statistics string sys textwrap time timeit traceback types typing warnings
""".split()
_OF_PACKAGE = {
    "numpy": ("numpy.fft", "numpy.linalg", "numpy.ma", "numpy.polynomial", "numpy.random"),
    "torch": (
        "torch._decomp.decompositions_for_jvp",  # the first forward derivative reads its source
        "torch.nn.functional",
        "torch.utils.data",
        "autograder.worker.devices",
        "autograder.worker.graph",
        "autograder.worker.measuring",
    ),
}


def preload(packages: Sequence[str]) -> None:
    """Import all of it, quietly."""
    submodules = [name for package in packages for name in _OF_PACKAGE.get(package, ())]
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        for name in (*_STANDARD, *packages, *submodules):
            importlib.import_module(name)
        if "torch" in packages:
            _make_torch_ready()


def _make_torch_ready() -> None:
    """One thread, so that each fork finds no other; kernels and the compiler loaded.

    Forward only: the first gradient starts a thread, which no fork takes along.
    """
    import torch

    torch.set_num_threads(1)
    import_compiler()
    with torch.no_grad():
        x = torch.ones(2, 4, 8)  # (batch, n, d)
        torch.nn.functional.layer_norm(torch.softmax(x @ x.mT, -1) @ x, (8,))
