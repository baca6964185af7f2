"""Step 3: several heads, each with an attention of its own, side by side.

Conventions: one token is one ROW of x; head h owns d_head columns, from h · d_head on; a mask is
boolean, True = may attend, without a head axis; "..." is any number of leading batch axes, none
included.
"""

import math

import torch
from step2_masked_attention import scaled_dot_product_attention
from torch import Tensor, nn


def split_heads(x: Tensor, num_heads: int) -> Tensor:
    """Deal the columns of every token out to the heads.

    One attention averages over all that a token asks for. Several heads with narrower queries and
    keys can look in several places at once, for the same work (Vaswani et al. 2017, section 3.2.2).

        result[..., h, i, c] = x[..., i, h · d_head + c]   with d_head = d_model / num_heads

    Every head gets every token, a slice of its columns. The argument's values are not modified.

    Args:
        x: (..., n, d_model), one token a row.
        num_heads: how many heads; d_model is divisible by it.

    Returns:
        (..., num_heads, n, d_head), a sequence for each head.

    Raises:
        ValueError: d_model is not divisible by num_heads.
    """
    # BEGIN SOLUTION
    *batch, n, d_model = x.shape
    if d_model % num_heads:
        raise ValueError(f"a width of {d_model} is not divisible by {num_heads} heads")
    columns = x.reshape(*batch, n, num_heads, d_model // num_heads)  # (..., n, heads, d_head)
    return columns.transpose(-3, -2)  # (..., heads, n, d_head)
    # END SOLUTION


def merge_heads(x: Tensor) -> Tensor:
    """Put the columns of all heads side by side again: the inverse of `split_heads`.

        result[..., i, h · d_head + c] = x[..., h, i, c]

    The argument's values are not modified.

    Args:
        x: (..., num_heads, n, d_head), a sequence for each head.

    Returns:
        (..., n, d_model), one token a row; d_model is num_heads · d_head.
    """
    # BEGIN SOLUTION
    tokens = x.transpose(-3, -2)  # (..., n, heads, d_head)
    return tokens.reshape(*tokens.shape[:-2], -1)  # (..., n, d_model)
    # END SOLUTION


class MultiHeadAttention(nn.Module):
    """Self-attention with several heads.

    Each head has queries, keys and values of its own: slices of one projection of the whole token.
    Their outputs stand side by side, and w_o mixes them, else no head would ever hear of another
    (Vaswani et al. 2017, section 3.2.2).

        Q = X W^Q,  K = X W^K,  V = X W^V,  split;  output = merge(attention of each head) W^O

    There are no biases. Where biases are 0 and no query is left without keys, torch's
    nn.MultiheadAttention gives the same for the same weights (it keeps them transposed).

    The four parameters are used as `x @ w`. What they are filled with at first is up to you, but
    small random numbers train best; a grader loads its own.

    Args:
        d_model: width of a token.
        num_heads: how many heads; d_model is divisible by it.

    Attributes:
        w_q: (d_model, d_model), the query weights of all heads, side by side.
        w_k: (d_model, d_model), the key weights.
        w_v: (d_model, d_model), the value weights.
        w_o: (d_model, d_model), what the merged heads are multiplied by.

    Raises:
        ValueError: d_model is not divisible by num_heads.
    """

    def __init__(self, d_model: int, num_heads: int) -> None:
        super().__init__()
        # BEGIN SOLUTION
        if d_model % num_heads:
            raise ValueError(f"a width of {d_model} is not divisible by {num_heads} heads")
        self.num_heads = num_heads
        spread = 1 / math.sqrt(d_model)  # keeps the variance of what comes in
        self.w_q = nn.Parameter(spread * torch.randn(d_model, d_model))
        self.w_k = nn.Parameter(spread * torch.randn(d_model, d_model))
        self.w_v = nn.Parameter(spread * torch.randn(d_model, d_model))
        self.w_o = nn.Parameter(spread * torch.randn(d_model, d_model))
        # END SOLUTION

    def forward(self, x: Tensor, mask: Tensor | None = None) -> Tensor:
        """Let every token attend, in every head, to the tokens that the mask allows.

        The head axis is inserted here: a mask (batch, 1, n) meets scores (batch, num_heads, n, n).
        A token that may attend to nothing gets the output 0. The arguments' values are not
        modified; the result has the dtype and the device of x, and gradients flow.

        Args:
            x: (..., n, d_model), one token a row.
            mask: boolean, (n, n) or (..., 1 or n, n); True = may attend; None: all may.

        Returns:
            (..., n, d_model), the output only, one token a row.
        """
        # BEGIN SOLUTION
        q, k, v = (split_heads(x @ w, self.num_heads) for w in (self.w_q, self.w_k, self.w_v))
        for_each_head = None if mask is None else mask.unsqueeze(-3)  # (..., 1, 1 or n, n)
        heads, _ = scaled_dot_product_attention(q, k, v, for_each_head)  # (..., heads, n, d_head)
        return merge_heads(heads) @ self.w_o  # (..., n, d_model)
        # END SOLUTION
