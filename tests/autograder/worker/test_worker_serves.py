"""One request, one reply: files become modules, calls become values, and nothing ends the loop."""

from __future__ import annotations

import numpy as np
import pytest

from autograder import wire


def test_files_import_each_other_in_any_order(served):
    """Step 6 is composed of the others, as it is in a student's folder."""
    worker = served(
        "from first import one\nimport second\ndef f(): return one + second.two",
        first="one = 1",
        second="import first\ntwo = first.one * 2",
    )

    assert worker.values("f") == [3]


def test_files_that_import_each_other_in_a_circle_are_the_students_to_mend(served):
    """It is reported as Python reports it, and the worker lives on."""
    worker = served(first="from second import b\na = 1", second="from first import a\nb = 1")

    said = worker.load("first")

    assert said.kind == "ImportError"
    assert [line.file for line in said.where] == ["first.py", "second.py"]


def test_a_name_of_ours_cannot_be_taken_by_a_file_that_is_not_theirs(served):
    """Only the files handed in are found in memory; the rest is Python's own."""
    worker = served("import numpy as np, json\ndef f(): return [np.__name__, json.__name__]")

    assert worker.values("f") == [["numpy", "json"]]


def test_a_failed_import_fails_again_and_leaves_the_other_files_usable(served):
    """A half-run module is not kept."""
    worker = served("def f(): return 1", broken="import step\nraise ValueError('half way')")

    for _ in range(2):
        said = worker.load("broken")
        assert (said.kind, said.message) == ("ValueError", "half way")
        assert said.where == [wire.Where("broken.py", 2, "<module>")]
    assert worker.values("f") == [1]


@pytest.mark.parametrize(
    ("source", "line", "words"),
    [
        ("x = 1\ndef f(:\n    pass\n", 2, "def f(:"),
        ("def f():\nreturn 1\n", 2, "return 1"),
        ("x = (1,\n", 1, "never closed"),
        ("s = 'no end\n", 1, "unterminated"),
        ("x = 1\n\ty = 2\n", 2, "unexpected indent"),
        ("return 1\n", 1, "outside function"),
    ],
    ids=["signature", "indentation", "bracket", "string", "tab", "return"],
)
def test_a_syntax_error_names_file_and_line(served, source, line, words):
    """Of the file that has it, not of the file that imports it."""
    worker = served(step="", good="import bad", bad=source)

    said = worker.load("good")

    assert said.kind in {"SyntaxError", "IndentationError"}
    assert said.message.startswith(f"bad.py, line {line}: ")
    assert words in said.message


def test_a_source_with_a_null_byte_is_an_error_of_theirs(served):
    """Which error it is, depends on the version of Python."""
    assert served(bad="x = 1\0").load("bad").kind in {"SyntaxError", "ValueError"}


def test_arguments_come_back_as_the_call_left_them(served):
    """Positional and named; whether they were changed is decided by who reads this."""
    worker = served("def f(a, b, *, c):\n    a += 1\n    c.append(b)\n    return a.sum()")

    value, a, b, c = worker.values("f", np.zeros(3), 2.5, c=[])

    assert (value, a.tolist(), b, c) == (3.0, [1, 1, 1], 2.5, [2.5])


def test_global_randomness_starts_anew_with_every_call(served):
    """The same call gives the same value, in whichever order the checks run."""
    worker = served(
        "import random, numpy as np\ndef f(): return [random.random(), float(np.random.rand())]"
    )

    assert worker.values("f") == worker.values("f")


@pytest.mark.parametrize("source", ["x = 1", "f = 3", "def g(): pass"])
def test_a_function_that_is_not_there_is_missing(served, source):
    """A renamed function, or a number of that name, is told apart from one that raises."""
    assert served(source).call("f").kind == "FunctionMissing"


def test_a_traceback_names_the_students_lines_and_no_other(served):
    """The frames of libraries and of the worker are left out; a deep one keeps its end."""
    worker = served(
        "from helper import deep\nimport json\n"
        "def f(): json.loads('{', object_hook=None)\n"
        "def g(): deep(30)\n",
        helper="def deep(n):\n    if n: deep(n - 1)\n    raise KeyError(n)\n",
    )

    assert worker.call("f").where == [wire.Where("step.py", 3, "f")]
    where = worker.call("g").where
    assert len(where) == 8
    assert where[-1] == wire.Where("helper.py", 3, "deep")


RAISING = """
import sys
class Silent(Exception):
    def __str__(self): raise KeyboardInterrupt
class Sly(str):
    def __getitem__(self, key): raise SystemExit
    encode = __len__ = __getitem__
class Shouting(Exception):
    def __str__(self): return Sly("shouted")
class Meta(type):
    @property
    def __name__(cls): raise SystemExit
class Nameless(Exception, metaclass=Meta): pass
class Odd(SyntaxError):
    filename = []
def exits(): sys.exit("status")
def interrupts(): raise KeyboardInterrupt
def generator(): raise GeneratorExit
def silent(): raise Silent
def shouting(): raise Shouting
def nameless(): raise Nameless("x")
def odd(): raise Odd("x")
def huge(): raise ValueError("x" * 10 ** 8)
def surrogate(): raise ValueError("\\ud800")
def named(): raise type("N" * 10 ** 6, (Exception,), {})()
def recurses(): return recurses()
def remembers():
    error = ValueError("again")
    error.__traceback__ = None
    raise error
def patched():
    import traceback
    traceback.extract_tb = exits
    raise ValueError("patched")
def fine(): return 1
"""


@pytest.mark.parametrize(
    ("function", "kind", "message"),
    [
        ("exits", "SystemExit", "status"),
        ("interrupts", "KeyboardInterrupt", ""),
        ("generator", "GeneratorExit", ""),
        ("silent", "Exception", "Silent: (cannot be shown)"),
        ("shouting", "Exception", "Shouting: shouted"),
        ("nameless", "Exception", "(cannot be shown): x"),
        ("odd", "SyntaxError", "Odd: (cannot be shown)"),
        ("huge", "ValueError", "x" * 2000),
        ("surrogate", "ValueError", "?"),
        ("named", "Exception", f"{'N' * 80}: "),
        ("recurses", "RecursionError", None),
        ("remembers", "ValueError", "again"),
        ("patched", "ValueError", "patched"),
    ],
)
def test_whatever_is_raised_is_reported_and_survived(served, function, kind, message):
    """Also when showing it runs student code that raises; every text is bounded."""
    worker = served(RAISING)

    said = worker.call(function)

    assert said.kind == kind
    assert message is None or said.message == message
    assert worker.values("fine") == [1]


def test_an_exit_while_importing_is_reported_too(served):
    """A script that ends with sys.exit() is no module, but it is no crash either."""
    assert served(bad="import sys\nsys.exit()").load("bad").kind == "SystemExit"
