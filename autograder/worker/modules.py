"""A student's files as importable modules, straight from memory: there is no folder to look in."""

from __future__ import annotations

import importlib.abc
import importlib.machinery
import importlib.util
import linecache
import sys
from collections.abc import Mapping, Sequence
from types import CodeType, ModuleType


class StudentModules(importlib.abc.MetaPathFinder, importlib.abc.InspectLoader):
    """Finds exactly the modules of the submission; everything else is left to Python."""

    def __init__(self, files: Mapping[str, str]) -> None:
        self._files = dict(files)

    def install(self) -> None:
        """Put these modules before all others, and let tracebacks show their lines."""
        sys.meta_path.insert(0, self)
        for name, source in self._files.items():
            lines = source.splitlines(keepends=True)
            linecache.cache[f"{name}.py"] = (len(source), None, lines, f"{name}.py")

    def find_spec(
        self, fullname: str, path: Sequence[str] | None, target: ModuleType | None = None
    ) -> importlib.machinery.ModuleSpec | None:
        """The spec of one of the submission's modules, else None."""
        if fullname not in self._files:
            return None
        return importlib.util.spec_from_loader(fullname, self, origin=f"{fullname}.py")

    def get_source(self, fullname: str) -> str:
        """The text that was handed in."""
        return self._files[fullname]

    def get_code(self, fullname: str) -> CodeType:
        """Compile it here, in the worker: student source is never parsed by the grader."""
        return compile(self._files[fullname], f"{fullname}.py", "exec", dont_inherit=True)

    def exec_module(self, module: ModuleType) -> None:
        """Run the module's body."""
        module.__file__ = f"{module.__name__}.py"
        exec(self.get_code(module.__name__), module.__dict__)
