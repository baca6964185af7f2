"""Returns tensors that share one storage, which a thread goes on changing, shrinking and growing.

step: step2_attention.py
earns: nothing
"""

import threading

import torch

RETURNED = []


def rewrite():
    """For ever; what torch refuses is tried again."""
    while True:
        for tensor in RETURNED[-4:]:
            try:
                tensor.fill_(float("nan"))
                tensor.normal_()
                tensor.untyped_storage().resize_(0)
                tensor.untyped_storage().resize_(1 << 16)
                tensor.zero_()
            except RuntimeError:
                pass


def self_attention(x, w_q, w_k, w_v):
    if not RETURNED:
        threading.Thread(target=rewrite, daemon=True).start()
    with torch.no_grad():
        shared = torch.zeros(x.numel() * 8 + 4096, dtype=x.dtype)
    RETURNED.append(shared)
    n, batch = x.shape[-2], x.shape[:-2]
    first = shared[: batch.numel() * n * w_v.shape[-1]].view(*batch, n, -1)
    second = shared[: batch.numel() * n * n].view(*batch, n, n)
    return first, second
