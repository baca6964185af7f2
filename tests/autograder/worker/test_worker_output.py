"""What is printed is kept up to a bound, belongs to its call, and never reaches the channel."""

from __future__ import annotations

import pytest

from autograder.worker.output import KEPT_BYTES

LIMIT = KEPT_BYTES + 100  # and the words that say that there was more


@pytest.mark.parametrize(
    ("statement", "printed"),
    [
        ("print('a')", "a\n"),
        ("print('a', end='')", "a"),
        ("sys.stderr.write('err')", "err"),
        ("sys.stdout.buffer.write(b'raw')", "raw"),
        ("sys.stdout.buffer.write(b'\\xff')", "\ufffd"),
        ("print('√ᵀ\\ud800')", "√ᵀ?\n"),
        ("print('one'); sys.stderr.write('two'); print('three')", "one\ntwothree\n"),
        ("import logging; logging.warning('logged')", "WARNING:root:logged\n"),
        ("sys.__stdout__.write('past it')", ""),
        ("print('a'); sys.stdout.close()", "a\n"),
        ("print('a'); sys.stdout = None", "a\n"),
    ],
)
def test_what_is_printed_comes_with_the_reply(served, statement, printed):
    """By whichever door, to the last byte, in the order of printing."""
    worker = served(f"import sys\ndef f():\n    {statement}\n    return 1")

    assert worker.call("f").output == printed


def test_a_warning_is_printed_like_anything_else(served):
    """numpy's division by zero is what a student should read."""
    worker = served("import numpy as np\ndef f(): return np.float64(1) / np.float64(0)")

    assert "RuntimeWarning: divide by zero" in worker.call("f").output


def test_each_call_gets_its_own_output(served):
    """Printing while importing, in a call and before an exception are told apart."""
    worker = served(step="", noisy="print('import')\ndef f(): print('call')")
    assert worker.load("noisy").output == "import\n"

    worker = served("print('import')\ndef f():\n    print('call')\n    raise ValueError")

    assert worker.call("f").output == "call\n"
    assert worker.call("g").output == ""


@pytest.mark.parametrize(
    "statement",
    [
        "print('x' * 10 ** 7)",
        "for _ in range(2000): print('x' * 1000)",
        "for _ in range(300_000): sys.stdout.write('x')",
        "sys.stdout.buffer.write(b'x' * 10 ** 7)",
        "sys.stdout.writelines(['x'] * 100_000)",
        "warnings.warn('x' * 10 ** 7)",
    ],
)
def test_a_flood_is_cut_and_says_so(served, statement):
    """The first lines are kept: they say where it began."""
    worker = served(f"import sys, warnings\ndef f():\n    {statement}\n    return 1")

    said = worker.call("f").output

    assert len(said) < LIMIT
    assert said.count("x") > KEPT_BYTES // 2
    assert said.endswith("\n[more was printed; it is not shown]")
    assert worker.call("g").output == ""
