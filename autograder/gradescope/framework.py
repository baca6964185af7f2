"""The installed framework as a wheel, from its own files; downloads and builds nothing."""

from __future__ import annotations

import tempfile
from importlib.metadata import Distribution, PackageNotFoundError, distribution
from pathlib import Path

import autograder
from autograder.errors import CourseError
from autograder.gradescope.zips import members_of, zipped
from autograder.handout.folder import is_left_over

DISTRIBUTION = "attention-autograder"
_WHEEL = f"""\
Wheel-Version: 1.0
Generator: {DISTRIBUTION}
Root-Is-Purelib: true
Tag: py3-none-any
"""
_METADATA = ("METADATA", "entry_points.txt")


def framework_wheel() -> tuple[str, bytes]:
    """The wheel's file name and its bytes; the same framework, the same bytes.

    Raises:
        CourseError: the framework is not installed, or `wheel` is not.
    """
    try:
        from wheel.wheelfile import WheelFile

        installed = distribution(DISTRIBUTION)
    except (ImportError, PackageNotFoundError) as error:
        raise CourseError(
            "autograder package",
            f"expected {DISTRIBUTION} and its extra `otter` to be installed: {error}",
            f"pip install '{DISTRIBUTION}[otter]' (in a checkout: make package).",
            "Nothing was packaged.",
        ) from None
    stem = f"{DISTRIBUTION.replace('-', '_')}-{installed.version}"
    name = f"{stem}-py3-none-any.whl"
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / name
        with WheelFile(path, "w") as archive:
            for member, data in _members(installed, f"{stem}.dist-info"):
                archive.writestr(member, data)
        return name, zipped(members_of(path.read_bytes()))  # RECORD bears the time else


def _members(installed: Distribution, info: str) -> list[tuple[str, bytes]]:
    package = Path(autograder.__file__).parent
    paths = [path.relative_to(package) for path in sorted(package.rglob("*")) if path.is_file()]
    files = [
        (f"{package.name}/{path.as_posix()}", (package / path).read_bytes())
        for path in paths
        if not is_left_over(path)
    ]
    told = {name: installed.read_text(name) or "" for name in _METADATA} | {"WHEEL": _WHEEL}
    return files + [(f"{info}/{name}", text.encode()) for name, text in told.items()]
