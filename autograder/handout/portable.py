"""Does a handout work on every student's machine? Reads names and Python text; imports nothing.

Looked at: file names, what the .py files import, and their string constants. Not looked at: calls
that only some platforms have, such as `os.fork`, and paths in a README.
"""

from __future__ import annotations

import ast
import re
import sys
import unicodedata
import warnings
from collections.abc import Collection, Iterator, Sequence
from pathlib import Path

from autograder.handout.folder import Problem, Steps, handout_files

# fmt: off
NOT_EVERYWHERE = frozenset((
    "fcntl", "resource", "pwd", "grp", "termios", "tty", "pty", "syslog", "posix", "nis", "spwd",
    "crypt", "readline", "curses", "ossaudiodev", "msilib", "msvcrt", "nt", "winreg", "winsound",
    "tkinter", "turtle", "turtledemo", "idlelib",
))
NOT_EVERY_PYTHON = frozenset((  # in 3.10 and gone by 3.13, or newer than 3.10
    "aifc", "asynchat", "asyncore", "audioop", "binhex", "cgi", "cgitb", "chunk", "distutils",
    "imghdr", "imp", "lib2to3", "mailcap", "nntplib", "pipes", "smtpd", "sndhdr", "sunau",
    "telnetlib", "tomllib", "uu", "xdrlib",
))
# fmt: on
DRAWING = "matplotlib"  # what steps and checks do without, and an experiment need not
_ABSOLUTE = re.compile(
    r"(?<![\w.:/~-])"
    r"(?:/(?:home|Users|root|tmp|var|usr|etc|opt|mnt|dev|proc|private|content)(?![\w-])"
    r"|~[/\\]|[A-Za-z]:[\\/](?!/))"
)
_BACKSLASHED = re.compile(r"(?:[\w. -]+\\)+[\w -]+\.\w{1,6}")
_RESERVED = re.compile(r"(?i)(?:con|prn|aux|nul|com[0-9¹²³]|lpt[0-9¹²³])(?:\.|$)")
_ILLEGAL = re.compile(r'[<>:"|?*\\\x00-\x1f]')


def portable_problems(handout: Path, files: Steps, packages: Sequence[str]) -> list[Problem]:
    """Whatever would keep the handout from working under Windows, macOS, Linux or another Python.

    Args:
        handout: assignments/<name>.
        files: step number and file name of each question: what the other files may import.
        packages: what the assignment needs, besides Python and pytest.
    """
    paths = handout_files(handout)
    problems = list(_names(handout, paths, [name for _, name in files]))
    local = {Path(name).stem for _, name in files}
    for path in paths:
        if path.suffix == ".py":
            local |= {path.stem, *path.relative_to(handout).parts[:-1]}
    allowed = {*local, *packages, "pytest"}
    needed = {"conftest.py", *(name for _, name in files)}
    for path in paths:
        if path.suffix == ".py" and path.is_file() and not path.is_symlink():
            is_needed = path.name in needed or path.name.startswith("test_")
            problems += _in_python(path, allowed if is_needed else {*allowed, DRAWING})
    return problems


def _names(handout: Path, paths: Sequence[Path], steps: Sequence[str]) -> Iterator[Problem]:
    seen: dict[str, str] = {unicodedata.normalize("NFC", name).casefold(): name for name in steps}
    for path in paths:
        name = path.relative_to(handout).as_posix()
        other = seen.setdefault(unicodedata.normalize("NFC", name).casefold(), name)
        if other != name:
            what = f"differs from {other} in capitals only; Windows and macOS keep one of them"
            yield Problem(str(path), what, "rename one of them.")
        for part in path.relative_to(handout).parts:
            if _ILLEGAL.search(part) or _RESERVED.match(part) or part[-1] in ". ":
                yield Problem(str(path), f"Windows allows no file named {part!r}", "rename it.")


def _in_python(path: Path, allowed: Collection[str]) -> Iterator[Problem]:
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            tree = ast.parse(path.read_bytes())
    except (SyntaxError, ValueError, OSError) as error:
        yield Problem(str(path), f"is not Python that can be read: {error}", "correct it.")
        return
    for node in ast.walk(tree):
        where = f"{path}:{getattr(node, 'lineno', 1)}"
        if isinstance(node, ast.Import):
            for alias in node.names:
                yield from _module(where, alias.name, allowed)
        elif isinstance(node, ast.ImportFrom) and node.level:
            fix = "write the module's name without leading dots; a handout is no package."
            yield Problem(where, "imports relative to a package", fix)
        elif isinstance(node, ast.ImportFrom):
            yield from _module(where, node.module or "", allowed)
        elif isinstance(node, ast.Constant) and isinstance(node.value, str):
            yield from _path(where, node.value)


def _module(where: str, name: str, allowed: Collection[str]) -> Iterator[Problem]:
    top = name.partition(".")[0]
    if top in allowed or top == "__future__":
        return
    if top in NOT_EVERYWHERE or (top.startswith("_") and top in sys.stdlib_module_names):
        what = f"imports `{top}`, which not every platform's Python has"
        yield Problem(where, what, "use what Windows, macOS and Linux share.")
    elif top in NOT_EVERY_PYTHON:
        what = f"imports `{top}`, which not every Python from 3.10 to 3.13 has"
        yield Problem(where, what, "use a module that all of them have.")
    elif top not in sys.stdlib_module_names:
        fix = "do without it, or list it under `packages` in assignment.toml."
        yield Problem(where, f"imports `{top}`, which students may not have", fix)


def _path(where: str, text: str) -> Iterator[Problem]:
    fix = "start from `Path(__file__).parent` and join with `/`."
    absolute = _ABSOLUTE.search(text)
    if absolute:
        what = f"holds a path of one machine: `{absolute.group()}…`"
        yield Problem(where, what, fix)
    elif _BACKSLASHED.fullmatch(text):
        yield Problem(where, f"holds a path that only Windows can read: `{text}`", fix)
