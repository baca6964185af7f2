"""Step 4: what attention cannot see by itself, the place of a token, is added to it.

Conventions: one position is one ROW; columns come in pairs, sine first.
"""

import torch
from torch import Tensor


def positional_encoding(
    n: int,
    d_model: int,
    device: torch.device | None = None,
    dtype: torch.dtype | None = None,
) -> Tensor:
    """Give each position a vector of its own, made of waves of different lengths.

    Attention gives the same outputs for the same tokens in any order, so the order has to be in the
    tokens. Fast waves tell neighbours apart, slow ones tell where in the sequence; and a shift by k
    turns every pair of columns by an angle that depends on k alone (Vaswani et al. 2017, section
    3.5).

        PE[pos, 2i]     = sin(pos / 10000^(2i / d_model))
        PE[pos, 2i + 1] = cos(pos / 10000^(2i / d_model))

    Both columns of a pair have the same angle, the positions start at 0, and an odd d_model ends on
    a sine. It is computed in float64 if that is asked for, else in float32, and rounded once at the
    end: whole numbers above 256 do not even exist in bfloat16.

    Args:
        n: number of positions, at least 1.
        d_model: width of a token, at least 1, even or odd.
        device: where the result is made; torch's default if it is not given.
        dtype: a floating-point dtype; torch's default, float32, if it is not given.

    Returns:
        (n, d_model), one position a row, on `device` and of `dtype`.
    """
    raise NotImplementedError("step 4: positional_encoding")
