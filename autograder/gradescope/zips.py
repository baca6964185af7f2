"""Zips whose bytes depend on their content alone: names in order, one date, plain permissions."""

from __future__ import annotations

import io
import stat
import zipfile
from collections.abc import Mapping
from dataclasses import dataclass

DATE = (1980, 1, 1, 0, 0, 0)  # the earliest that a zip can bear
_UNIX = 3


@dataclass(frozen=True)
class Member:
    """One file of a zip."""

    data: bytes
    executable: bool = False


def zipped(members: Mapping[str, Member]) -> bytes:
    """A zip of these files by name, the same bytes for the same files."""
    file = io.BytesIO()
    with zipfile.ZipFile(file, "w", zipfile.ZIP_DEFLATED, compresslevel=9) as archive:
        for name in sorted(members):
            archive.writestr(_entry(name, members[name].executable), members[name].data)
    return file.getvalue()


def _entry(name: str, executable: bool) -> zipfile.ZipInfo:
    info = zipfile.ZipInfo(name, DATE)
    info.compress_type = zipfile.ZIP_DEFLATED
    info.create_system = _UNIX
    info.external_attr = (stat.S_IFREG | (0o755 if executable else 0o644)) << 16
    return info


def members_of(data: bytes) -> dict[str, Member]:
    """The files in a zip."""
    with zipfile.ZipFile(io.BytesIO(data)) as archive:
        return {name: Member(archive.read(name)) for name in archive.namelist()}
