"""Returns arrays of records, dates, texts, bytes, truth values, nothing at all and too many digits.

step: step2_scores.py
earns: nothing
"""

import itertools

import numpy as np

CALLS = itertools.count()


def attention_scores(q, k):
    shape = (*q.shape[:-1], k.shape[-2])
    made = [
        lambda: np.full(shape, np.timedelta64("NaT")),
        lambda: np.full(shape, np.datetime64("NaT")),
        lambda: np.zeros(shape, [("score", "f8"), ("passed", "O")]),
        lambda: np.zeros(shape, [("score", "f8")]).view(np.recarray),
        lambda: np.full(shape, "0.5"),
        lambda: np.full(shape, b"0.5"),
        lambda: np.zeros(shape, "V8"),
        lambda: np.zeros(shape, "V0"),
        lambda: np.zeros(shape, ">f8"),
        lambda: np.zeros(shape, np.clongdouble),
        lambda: np.zeros(shape, np.complex64),
        lambda: np.zeros(shape, bool),
        lambda: np.zeros(shape, np.int8),
        lambda: np.zeros(shape, np.uint64),
        lambda: np.zeros(shape, np.dtype("f8", metadata={"score": 100})),
    ]
    return made[next(CALLS) % len(made)]()
