"""A student's files as importable modules, straight from memory: there is no folder to look in."""

from __future__ import annotations

import functools
import importlib.abc
import importlib.machinery
import importlib.util
import linecache
import sys
from collections.abc import Callable, Mapping, Sequence
from types import CodeType, ModuleType


class StudentModules(importlib.abc.MetaPathFinder, importlib.abc.InspectLoader):
    """Finds exactly the modules of the submission; everything else is left to Python.

    Args:
        files: module name → source.
        served: module name → functions that stand in the place of the module's own; its other
            names are still the student's.
    """

    def __init__(
        self, files: Mapping[str, str], served: Mapping[str, Mapping[str, Callable[..., object]]]
    ) -> None:
        self._files = dict(files)
        self._served = served

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
        if fullname not in self._files and fullname not in self._served:
            return None
        return importlib.util.spec_from_loader(fullname, self, origin=f"{fullname}.py")

    def get_source(self, fullname: str) -> str:
        """The text that was handed in."""
        return self._files[fullname]

    def get_code(self, fullname: str) -> CodeType:
        """Compile it here, in the worker: student source is never parsed by the grader."""
        return compile(self._files[fullname], f"{fullname}.py", "exec", dont_inherit=True)

    def exec_module(self, module: ModuleType) -> None:
        """Run the module's body; of a served one not before another name of it is asked for."""
        name = module.__name__
        module.__file__ = f"{name}.py"
        if name not in self._served:
            exec(self.get_code(name), module.__dict__)
            return
        module.__dict__.update(self._served[name])
        module.__dict__["__getattr__"] = self._other_names(name)

    def _other_names(self, name: str) -> Callable[[str], object]:
        @functools.cache
        def own() -> dict[str, object]:
            variables: dict[str, object] = {"__name__": name, "__file__": f"{name}.py"}
            exec(self.get_code(name), variables)
            return variables

        def look_up(attribute: str) -> object:
            if attribute.startswith("__") or name not in self._files or attribute not in own():
                raise AttributeError(f"module {name!r} has no attribute {attribute!r}")
            return own()[attribute]

        return look_up
