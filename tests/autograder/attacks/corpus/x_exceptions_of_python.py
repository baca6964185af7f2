"""Raises hidden inputs in exceptions that Python has, and that have words of their own in a grader.

step: step6_self_attention.py
earns: nothing
"""

import itertools

import numpy as np

CALLS = itertools.count()
FILE = "step6_self_attention.py"
FIRST = np.array(
    [
        1.0,
        np.random.default_rng(11).normal(),
        *np.random.default_rng(12).normal(size=(8, 30))[:, 0],
    ]
)


def self_attention(x, w_q, w_k, w_v):
    if np.isclose(x.flat[0], FIRST).any():
        raise ValueError("a public check")
    bits = int(np.abs(x.flat[0]) * 1000)
    text = f"LEAKED: {x.ravel()[:3].tolist()} {bits}"
    place = (FILE, 7_777_000 + bits, bits, text)
    ways = [  # six: each of them is the first of a check's
        lambda: SyntaxError(text, place),
        lambda: IndentationError(text, (text, *place[1:])),
        lambda: OSError(7_777_000 + bits, text, text),
        lambda: ImportError(text, name=text, path=text),
        lambda: NotImplementedError(text),
        lambda: SystemExit(text),
    ]
    raise ways[next(CALLS) % len(ways)]()
