"""Starts threads until there are no more, keeps them, and answers rightly all the same.

step: step4_softmax.py
earns: some
"""

import threading

import numpy as np

NEVER = threading.Event()
threading.stack_size(1 << 16)
STARTED = []
try:
    for _ in range(300):
        STARTED.append(threading.Thread(target=NEVER.wait, daemon=True))
        STARTED[-1].start()
except RuntimeError:
    pass


def softmax(scores):
    if len(STARTED) > 200:
        raise RuntimeError(f"GAINED: {len(STARTED)} threads")
    powers = np.exp(scores - np.max(scores, axis=-1, keepdims=True))
    return powers / np.sum(powers, axis=-1, keepdims=True)
