"""Has torch take memory: all of it at once, more than there is, and in pieces that it keeps.

step: step2_attention.py
earns: nothing
"""

import torch

KEPT = []


def self_attention(x, w_q, w_k, w_v):
    for size in (1 << 50, 1 << 42, 1 << 40, 1 << 36):
        try:
            KEPT.append(torch.zeros(size))
        except (RuntimeError, MemoryError):
            pass
    x.expand(1, *x.shape)
    for _ in range(32):
        KEPT.append(torch.ones(32 << 20))  # 128 MiB each, 4 GiB at most
    raise RuntimeError(f"GAINED: {len(KEPT) * 128} MiB")
