"""Takes memory until there is none, keeps it, and asks for more.

step: step4_softmax.py
earns: nothing
"""

import numpy as np

KEPT = []


def softmax(scores):
    for _ in range(24):
        KEPT.append(np.ones(16 << 20))  # 128 MiB each, 3 GiB at most
    raise RuntimeError(f"GAINED: {len(KEPT) * 128} MiB")
