"""Raises and prints one line of megabytes, a million lines, a million marks on one letter.

step: step6_self_attention.py
earns: nothing
"""

import itertools

WORDS = ["x" * 5_000_000, "\n" * 1_000_000, "a" + "\u0301" * 1_000_000, "\u202e" * 1_000_000 + "z"]
calls = itertools.count()


def self_attention(x, w_q, w_k, w_v):
    words = WORDS[next(calls) % len(WORDS)]
    print(words)
    raise ValueError(words)
