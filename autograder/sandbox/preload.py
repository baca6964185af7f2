"""What is imported before a worker is confined: the assignment's packages, and the modules of the
standard library that steps import most, so that they are there where no file may be opened."""

from __future__ import annotations

import importlib
import warnings
from collections.abc import Sequence

_STANDARD = """
    abc bisect collections collections.abc contextlib copy dataclasses datetime decimal enum
    fractions functools heapq inspect io itertools json logging math numbers operator os pathlib
    pprint random re statistics string sys textwrap time timeit traceback types typing warnings
""".split()
_OF_PACKAGE = {
    "numpy": ("numpy.fft", "numpy.linalg", "numpy.ma", "numpy.polynomial", "numpy.random"),
}


def preload(packages: Sequence[str]) -> None:
    """Import all of it, quietly."""
    submodules = [name for package in packages for name in _OF_PACKAGE.get(package, ())]
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        for name in (*_STANDARD, *packages, *submodules):
            importlib.import_module(name)
