"""Returns containers that are other than they were at every look: by length, by entry, by iteration.

step: step1_projections.py
earns: nothing
"""

import itertools

import numpy as np

CALLS = itertools.count()


class Turning(tuple):
    """Three results when counted, and others whenever they are taken."""

    def __len__(self):
        return 3

    def __iter__(self):
        return itertools.cycle([np.zeros(1)])

    def __getitem__(self, at):
        return np.zeros(next(CALLS) % 5)


class TurningList(list):
    __len__, __iter__, __getitem__ = Turning.__len__, Turning.__iter__, Turning.__getitem__


class TurningDict(dict):
    def items(self):
        return [("q", 0)] * (next(CALLS) % 4)

    def __getitem__(self, key):
        return np.zeros(next(CALLS) % 5)


def project_qkv(x, w_q, w_k, w_v):
    made = [
        Turning(),
        Turning([x]),
        TurningList(),
        TurningDict(q=x, k=x, v=x),
        itertools.repeat(x),
        (one for one in (x, x, x)),
        map(np.asarray, (x, x, x)),
        {"q", "k", "v"},
        range(3),
        "qkv",
        b"qkv",
    ]
    return made[next(CALLS) % len(made)]
