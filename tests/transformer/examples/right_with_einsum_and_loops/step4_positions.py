"""Step 4, number by number."""

import math

import torch


def positional_encoding(n, d_model, device=None, dtype=None):
    rows = []
    for pos in range(n):
        row = []
        for column in range(d_model):
            angle = pos * 1e-4 ** ((column - column % 2) / d_model)
            row.append(math.cos(angle) if column % 2 else math.sin(angle))
        rows.append(row)
    dtype = torch.get_default_dtype() if dtype is None else dtype
    return torch.tensor(rows, dtype=dtype, device=device)
