"""Raises exceptions that are each other's cause, a thousand times over, with huge texts.

step: step2_scores.py
earns: nothing
"""

import sys


def attention_scores(q, k):
    first = last = ValueError("x" * 1_000_000)
    for number in range(1000):
        last.__cause__ = ValueError(f"{number}" * 1000)
        last = last.__cause__
    last.__cause__ = first
    first.__notes__ = ["y" * 1_000_000]
    if sys.version_info >= (3, 11):
        raise ExceptionGroup("z" * 1000, [first] * 1000)
    raise first
