"""Returns values that make a comparison slow or overflow: subnormal, extreme, near, NaN, megabytes.

step: step5_output.py
earns: nothing
"""

import itertools

import numpy as np

calls = itertools.count()


def attention_output(weights, v):
    shape = (*weights.shape[:-1], v.shape[-1])
    values = [
        np.full(shape, 5e-324),
        np.full(shape, 1.7e308) * np.where(np.arange(shape[-1]) % 2, 1, -1),
        np.full(shape, np.nan),
        np.full(shape, np.inf),
        np.full(shape, 1 / shape[-1]),
        np.full(shape, -0.0),
        np.zeros(shape, np.complex128) + 1j * np.inf,
        np.zeros(shape, bool),
        np.zeros(shape, np.uint64) - np.uint64(1),
        np.zeros((8 << 20,)),
        np.zeros((1 << 31, 0)),
        np.zeros((1,) * 30),
        np.broadcast_to(np.float16(1), (4096, 2048)),
        [[0.5] * 100] * 150,
        {str(number): number for number in range(9_000)},
        ["x" * 60_000] * 15,
    ]
    return values[next(calls) % len(values)]
