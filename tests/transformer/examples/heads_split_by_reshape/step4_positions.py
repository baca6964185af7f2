"""Sinusoidal positions."""

import torch


def positional_encoding(n, d_model, device=None, dtype=None):
    if dtype is None:
        dtype = torch.float32
    wide = torch.float64 if dtype == torch.float64 else torch.float32
    pos = torch.arange(n, device=device, dtype=wide).unsqueeze(1)
    div = 10000 ** (torch.arange(0, d_model, 2, device=device, dtype=wide) / d_model)
    pe = torch.zeros(n, d_model, device=device, dtype=wide)
    pe[:, 0::2] = torch.sin(pos / div)
    pe[:, 1::2] = torch.cos(pos / div)[:, : d_model // 2]
    return pe.to(dtype)
