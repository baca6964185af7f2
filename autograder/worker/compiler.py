"""torch's compiler, which nothing here uses and torch imports all the same."""

from __future__ import annotations

import importlib
import os
import tempfile

_CACHE = "TORCHINDUCTOR_CACHE_DIR"


def import_compiler() -> None:
    """Import it now: optimisers, forward derivatives and meta tensors do when they are first used,
    which would cost each fork of this process more than a second. It makes a folder for what it
    compiles; none is left behind."""
    before = os.environ.get(_CACHE)
    with tempfile.TemporaryDirectory() as folder:
        os.environ[_CACHE] = folder
        importlib.import_module("torch._dynamo")
    del os.environ[_CACHE]
    if before is not None:
        os.environ[_CACHE] = before
