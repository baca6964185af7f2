"""The architecture, read from the source: layers, sizes, and what must be imported nowhere."""

from __future__ import annotations

import ast
import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest

import autograder

PACKAGE = Path(autograder.__file__).parent
ROOT = Path(__file__).resolve().parents[2]
LAYERS = (
    {"__init__"},
    {"errors"},
    {"files", "text"},
    {"markdown"},
    {"results", "wire"},
    {"manifest", "handout", "worker", "compare"},
    {"submissions", "sandbox"},
    {"grading", "scoring", "shown", "forks"},
    {"session"},
    {"batch", "verify"},
    {"outputs", "gradescope"},
    {"cli"},
    {"__main__"},
)
LAYER_OF = {room: number for number, rooms in enumerate(LAYERS) for room in rooms}
SOURCES = {path: ast.parse(path.read_bytes()) for path in sorted(PACKAGE.rglob("*.py"))}
LONGEST_MODULE, LONGEST_FUNCTION = 300, 40
OBJECTS_FROM_BYTES = {"pickle", "cPickle", "_pickle", "dill", "marshal", "shelve", "cloudpickle"}
# These define what torch calls, so they are imported in functions themselves.
OF_TORCH = {"worker/devices.py", "worker/graph.py", "worker/measuring.py"}
HEAVY = {"torch", "otter", "cosmic_ray"}


def room_of(path):
    return path.relative_to(PACKAGE).parts[0].removesuffix(".py")


def imported(tree):
    """Every module that is imported anywhere in `tree`, by its whole name."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            module = "." * node.level + (node.module or "")
            whole = [f"{module}.{alias.name}" for alias in node.names]
            yield from whole if module == "autograder" else [module]


def rooms_imported(tree):
    """The rooms of the framework that `tree` imports from."""
    for name in imported(tree):
        top, _, rest = name.partition(".")
        if top == "autograder":
            room = rest.partition(".")[0]
            yield room if room in LAYER_OF else "__init__"


def is_for_types_only(node: ast.AST) -> bool:
    """Whether `node` is an `if TYPE_CHECKING:`, which no program ever enters."""
    return (
        isinstance(node, ast.If)
        and isinstance(node.test, ast.Name)
        and node.test.id == "TYPE_CHECKING"
        and not node.orelse
    )


def outside_functions(tree: ast.AST) -> Iterator[ast.AST]:
    """What is run when the module is imported."""
    for node in ast.iter_child_nodes(tree):
        is_late = isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda)
        if not is_late and not is_for_types_only(node):
            yield node
            yield from outside_functions(node)


def repository_files():
    """Everything that is or will be committed, but for what is no text."""
    command = ["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard"]
    try:
        listed = subprocess.run(command, cwd=ROOT, capture_output=True, check=True).stdout
    except (OSError, subprocess.CalledProcessError):
        pytest.skip("not a git checkout")
    for name in filter(None, listed.decode().split("\0")):
        path = ROOT / name
        if path.is_file() and not path.is_symlink():
            yield name, path.read_bytes().decode("utf-8", "replace")


@pytest.mark.parametrize(
    ("source", "rooms"),
    [
        ("import autograder", ["__init__"]),
        ("import autograder.cli.app as app", ["cli"]),
        ("from autograder import wire, cli", ["wire", "cli"]),
        ("from autograder.batch.folder import OutputFolder", ["batch"]),
        ("def late():\n    from autograder.session import Graders", ["session"]),
        ("import autograders, numpy", []),
    ],
)
def test_every_spelling_of_an_import_is_seen(source, rooms):
    """The reader of imports is no blind one."""
    assert list(rooms_imported(ast.parse(source))) == rooms


def test_every_room_has_a_layer():
    """A new room is given its place before it is used."""
    assert {room_of(path) for path in SOURCES} <= LAYER_OF.keys()


def test_imports_go_down_only():
    """No layer reaches up, and no two rooms of one layer know each other."""
    wrong = [
        f"{path.relative_to(PACKAGE)} imports {other}"
        for path, tree in SOURCES.items()
        for other in rooms_imported(tree)
        if other != room_of(path) and LAYER_OF[other] >= LAYER_OF[room_of(path)]
    ]

    assert not wrong


def test_every_import_is_spelled_out():
    """A relative import would hide from the test above."""
    assert not [name for tree in SOURCES.values() for name in imported(tree) if name[:1] == "."]


def test_nothing_is_too_long_to_be_read_at_once():
    """A module has at most 300 lines, a function at most 40."""
    modules = [path for path in SOURCES if len(path.read_bytes().splitlines()) > LONGEST_MODULE]
    functions = [
        f"{path.relative_to(PACKAGE)}: {node.name}"
        for path, tree in SOURCES.items()
        for node in ast.walk(tree)
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef)
        and (node.end_lineno or 0) - node.lineno >= LONGEST_FUNCTION
    ]

    assert not modules
    assert not functions


def test_no_bytes_become_objects():
    """Whatever a student sends, no class of theirs is looked up and no code of theirs is run."""
    tops = {name.partition(".")[0] for tree in SOURCES.values() for name in imported(tree)}

    assert not tops & OBJECTS_FROM_BYTES


def test_heavy_packages_are_imported_in_functions_only():
    """torch and otter each take a second, cosmic-ray need not be installed; only users wait."""
    lazily = {f"autograder.{name[:-3].replace('/', '.')}" for name in OF_TORCH}
    heavy = [
        f"{path.relative_to(PACKAGE)}: {name}"
        for path, tree in SOURCES.items()
        if path.relative_to(PACKAGE).as_posix() not in OF_TORCH
        for node in outside_functions(tree)
        if isinstance(node, ast.Import | ast.ImportFrom)
        for name in imported(node)
        if name.partition(".")[0] in HEAVY or name in lazily
    ]

    assert not heavy


def test_nothing_in_the_repository_is_of_one_machine():
    """No path of a home or of this checkout, and no package registry, stands in any file."""
    registries = ["pypi" + ".org", "pythonhosted" + ".org", "anaconda" + ".org", "npmjs" + ".org"]
    folders = [f"{folder}/" for folder in (Path.home(), ROOT) if len(folder.parts) > 1]

    found = [
        f"{name}: {mark}"
        for name, text in repository_files()
        for mark in [*registries, *folders]
        if mark in text
    ]

    assert not found
