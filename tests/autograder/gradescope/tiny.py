"""A tiny autograder: it lets `do.py` of a submission do whatever root may do in the container."""

from __future__ import annotations

import json
import zipfile
from pathlib import Path
from typing import Any

from .container import Graded, Image

SETUP = """
set -e
apt-get update
apt-get install -y --no-install-recommends python3 python3-venv libseccomp2
python3 -m venv /autograder/venv
/autograder/venv/bin/pip install pyseccomp
echo left > /tmp/left_by_setup
"""
RUN = "#!/bin/sh\nexec /autograder/venv/bin/python -B submission/do.py\n"
HEAD = """
import ctypes, errno, json, os, pathlib, signal, socket, subprocess, sys, time
import pyseccomp

LIBC = ctypes.CDLL(None, use_errno=True)

def answer(value):
    pathlib.Path("results/results.json").write_text(json.dumps(value))

def call(name, *arguments):
    number = pyseccomp.resolve_syscall(pyseccomp.system_arch(), name) if name else 460
    ctypes.set_errno(0)
    words = [a if isinstance(a, bytes) else ctypes.c_long(a) for a in arguments]
    result = LIBC.syscall(ctypes.c_long(number), *words)
    return "works" if result >= 0 else errno.errorcode[ctypes.get_errno()]

def refused(way, *arguments):
    try:
        way(*arguments)
    except OSError as error:
        return errno.errorcode[error.errno]
    return "works"
"""


def write_zip(path: Path, modes: dict[str, int], scripts: dict[str, str]) -> Path:
    """An autograder zip; a file has mode 0600, as zipfile writes it, but for `modes`."""
    with zipfile.ZipFile(path, "w") as made:
        for name, text in scripts.items():
            member = zipfile.ZipInfo(name)
            member.external_attr = modes.get(name, 0o600) << 16
            made.writestr(member, text)
    return path


def build_tiny(clean_root: Path) -> Image:
    """Its image."""
    scripts = {"setup.sh": SETUP, "run_autograder": RUN, "notes": "", "tool": ""}
    modes = {"notes": 0o640, "tool": 0o755}
    return Image.build(clean_root, write_zip(clean_root.with_name("tiny.zip"), modes, scripts))


def do(image: Image, code: str, **options: Any) -> Graded:
    """Run some code as run_autograder would."""
    return image.grade({"do.py": (HEAD + code).encode()}, **options)


def ask(image: Image, code: str, **options: Any) -> Any:
    """What that code gave to `answer`."""
    graded = do(image, code, **options)
    assert graded.status == 0, graded.output
    assert graded.results is not None
    return json.loads(graded.results)
