"""Returns arrays that tell another shape, size or length than they have.

step: step2_scores.py
earns: nothing
"""

import itertools

import numpy as np
from numpy.lib.stride_tricks import as_strided

CALLS = itertools.count()


class Liar(np.ndarray):
    """Says that it has whatever shape it was told to."""

    told = (1,)
    shape = property(lambda self: self.told)
    ndim = property(lambda self: len(self.told))
    size = property(lambda self: int(np.prod(self.told)))
    nbytes = property(lambda self: 8)
    __len__ = lambda self: self.told[0]


def attention_scores(q, k):
    shape = (*q.shape[:-1], k.shape[-2])
    lying = np.zeros(3).view(Liar)
    lying.told = shape
    made = [
        lambda: lying,
        lambda: as_strided(np.zeros(1), shape, (0,) * len(shape)),
        lambda: as_strided(np.zeros(1 << 14)[1 << 13 :], shape, [-8] * len(shape)),
        lambda: as_strided(np.zeros(1), (1 << 20, 1 << 20), (0, 0)),
        lambda: np.broadcast_to(np.zeros(1, "i1"), (1 << 62,)),
        lambda: np.zeros(shape[::-1]).T,
        lambda: np.zeros((1,) * 30 + shape),
    ]
    return made[next(CALLS) % len(made)]()
