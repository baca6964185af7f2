"""Step 5 with a layer norm of its own."""

import torch
import torch.nn.functional as F
from step3_multi_head import MultiHeadAttention
from torch import nn


class Norm(nn.Module):
    def __init__(self, d):
        super().__init__()
        self.weight = nn.Parameter(torch.ones(d))
        self.bias = nn.Parameter(torch.zeros(d))

    def forward(self, x):
        centred = x - x.mean(-1, keepdim=True)
        return centred / torch.sqrt((centred**2).mean(-1, keepdim=True) + 1e-5) * self.weight + self.bias


class FeedForward(nn.Module):
    def __init__(self, d_model, d_hidden):
        super().__init__()
        self.w_1 = nn.Parameter(torch.randn(d_model, d_hidden))
        self.w_2 = nn.Parameter(torch.randn(d_hidden, d_model))
        self.b_1 = nn.Parameter(torch.zeros(d_hidden))
        self.b_2 = nn.Parameter(torch.zeros(d_model))

    def forward(self, x):
        return F.linear(F.relu(F.linear(x, self.w_1.t(), self.b_1)), self.w_2.t(), self.b_2)


class EncoderBlock(nn.Module):
    def __init__(self, d_model, num_heads, d_hidden):
        super().__init__()
        self.attention = MultiHeadAttention(d_model, num_heads)
        self.feed_forward = FeedForward(d_model, d_hidden)
        self.norm_1, self.norm_2 = Norm(d_model), Norm(d_model)

    def forward(self, x, mask=None):
        y = self.attention(self.norm_1(x), mask) + x
        return self.feed_forward(self.norm_2(y)) + y
