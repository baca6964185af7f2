"""Step 3, head by head."""

import torch
from step2_masked_attention import scaled_dot_product_attention
from torch import nn


def split_heads(x, num_heads):
    if x.shape[-1] % num_heads:
        raise ValueError("heads of unequal width")
    return torch.stack(torch.chunk(x, num_heads, dim=-1), dim=-3)


def merge_heads(x):
    return torch.cat([x[..., h, :, :] for h in range(x.shape[-3])], dim=-1)


class MultiHeadAttention(nn.Module):
    def __init__(self, d_model, num_heads):
        if d_model % num_heads:
            raise ValueError("heads of unequal width")
        super().__init__()
        self.h = num_heads
        for name in ("w_q", "w_k", "w_v", "w_o"):
            setattr(self, name, nn.Parameter(torch.empty(d_model, d_model).normal_(std=0.1)))

    def forward(self, x, mask=None):
        heads = []
        width = x.shape[-1] // self.h
        for h in range(self.h):
            part = slice(width * h, width * (h + 1))
            q, k, v = (torch.einsum("...nm,md->...nd", x, w[:, part]) for w in (self.w_q, self.w_k, self.w_v))
            heads.append(scaled_dot_product_attention(q, k, v, mask)[0])
        return torch.cat(heads, dim=-1) @ self.w_o
