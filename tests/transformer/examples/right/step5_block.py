"""Encoder block."""

import torch
import torch.nn as nn

from step3_multi_head import MultiHeadAttention


class FeedForward(nn.Module):
    def __init__(self, d_model, d_hidden):
        super().__init__()
        self.w_1 = nn.Parameter(torch.randn(d_model, d_hidden) * 0.02)
        self.b_1 = nn.Parameter(torch.zeros(d_hidden))
        self.w_2 = nn.Parameter(torch.randn(d_hidden, d_model) * 0.02)
        self.b_2 = nn.Parameter(torch.zeros(d_model))

    def forward(self, x):
        h = torch.relu(x @ self.w_1 + self.b_1)
        return h @ self.w_2 + self.b_2


class EncoderBlock(nn.Module):
    def __init__(self, d_model, num_heads, d_hidden):
        super().__init__()
        self.norm_1 = nn.LayerNorm(d_model)
        self.attention = MultiHeadAttention(d_model, num_heads)
        self.norm_2 = nn.LayerNorm(d_model)
        self.feed_forward = FeedForward(d_model, d_hidden)

    def forward(self, x, mask=None):
        x = x + self.attention(self.norm_1(x), mask=mask)
        x = x + self.feed_forward(self.norm_2(x))
        return x
