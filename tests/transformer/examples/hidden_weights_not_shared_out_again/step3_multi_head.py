"""Multi-head attention."""

import torch
import torch.nn as nn

from step2_masked_attention import scaled_dot_product_attention


def split_heads(x, num_heads):
    d_model = x.shape[-1]
    if d_model % num_heads != 0:
        raise ValueError("d_model must be divisible by num_heads")
    x = x.reshape(*x.shape[:-1], num_heads, d_model // num_heads)
    return x.transpose(-2, -3)


def merge_heads(x):
    x = x.transpose(-2, -3).contiguous()
    return x.reshape(*x.shape[:-2], x.shape[-2] * x.shape[-1])


class MultiHeadAttention(nn.Module):
    def __init__(self, d_model, num_heads):
        super().__init__()
        if d_model % num_heads != 0:
            raise ValueError("d_model must be divisible by num_heads")
        self.num_heads = num_heads
        self.w_q = nn.Parameter(nn.init.xavier_uniform_(torch.empty(d_model, d_model)))
        self.w_k = nn.Parameter(nn.init.xavier_uniform_(torch.empty(d_model, d_model)))
        self.w_v = nn.Parameter(nn.init.xavier_uniform_(torch.empty(d_model, d_model)))
        self.w_o = nn.Parameter(nn.init.xavier_uniform_(torch.empty(d_model, d_model)))

    def forward(self, x, mask=None):
        q = split_heads(x @ self.w_q, self.num_heads)
        k = split_heads(x @ self.w_k, self.num_heads)
        v = split_heads(x @ self.w_v, self.num_heads)
        if mask is not None:
            mask = mask.unsqueeze(-3)
        out, _ = scaled_dot_product_attention(q, k, v, mask)
        return merge_heads(out) @ self.w_o
