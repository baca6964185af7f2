"""Answers rightly, and sends its arguments back as megabytes, as text, or not at all.

step: step5_output.py
earns: some
"""

import itertools

calls = itertools.count()


def attention_output(weights, v):
    answer = weights @ v
    if next(calls) % 2:
        weights.resize((1 << 20,), refcheck=False)
        v.resize((0,), refcheck=False)
    else:
        v.resize((600_000,), refcheck=False)
    return answer
