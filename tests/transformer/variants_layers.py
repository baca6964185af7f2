"""Other right answers to steps 3 and 5: heads, the layer around them, and the block."""

import math

import torch
from step2_masked_attention import scaled_dot_product_attention
from step3_multi_head import MultiHeadAttention, merge_heads, split_heads
from torch import nn
from torch.nn import functional

from autograder.grading import variant

WEIGHTS = ("w_q", "w_k", "w_v", "w_o")


@variant("multi_head", function="split_heads")
def split_by_unflatten(x, num_heads):
    if x.shape[-1] % num_heads != 0:
        raise ValueError("not divisible")
    return x.unflatten(-1, (num_heads, -1)).movedim(-2, -3)


@variant("multi_head", function="split_heads")
def split_into_chunks(x, num_heads):
    if x.shape[-1] % num_heads:
        raise ValueError
    return torch.stack(x.chunk(num_heads, dim=-1), dim=-3)


@variant("multi_head", function="split_heads")
def split_head_by_head(x, num_heads):
    d_head, left = divmod(x.shape[-1], num_heads)
    if left:
        raise ValueError("not divisible")
    heads = [x[..., h * d_head : (h + 1) * d_head] for h in range(num_heads)]
    return torch.stack(heads, dim=x.ndim - 2)


@variant("multi_head", function="merge_heads")
def merged_by_flatten(x):
    return x.movedim(-3, -2).flatten(-2)


@variant("multi_head", function="merge_heads")
def merged_by_concatenation(x):
    return torch.cat(x.unbind(-3), dim=-1)


@variant("multi_head", function="merge_heads")
def merged_by_a_contiguous_view(x):
    tokens = x.transpose(-2, -3).contiguous()
    return tokens.view(*tokens.shape[:-2], tokens.shape[-1] * tokens.shape[-2])


@variant("multi_head", function="MultiHeadAttention")
class HeadAfterHead(MultiHeadAttention):
    def forward(self, x, mask=None):
        d_head = x.shape[-1] // self.num_heads
        output = 0
        for h in range(self.num_heads):
            own = slice(h * d_head, (h + 1) * d_head)
            q, k, v = (x @ w[:, own] for w in (self.w_q, self.w_k, self.w_v))
            output = output + scaled_dot_product_attention(q, k, v, mask)[0] @ self.w_o[own]
        return output


@variant("multi_head", function="MultiHeadAttention")
class ByEinsum(nn.Module):
    def __init__(self, d_model, num_heads):
        super().__init__()
        if d_model % num_heads != 0:
            raise ValueError("d_model has to be divisible by num_heads")
        self.heads = num_heads
        for name in WEIGHTS:
            weight = torch.empty(d_model, d_model)
            self.register_parameter(name, nn.Parameter(nn.init.xavier_uniform_(weight)))

    def forward(self, x, mask=None):
        k, q, v = (
            torch.einsum("...nm,mhd->...hnd", x, w.unflatten(1, (self.heads, -1)))
            for w in (self.w_k, self.w_q, self.w_v)
        )
        if mask is not None:
            mask = mask[..., None, :, :]
        heads, _ = scaled_dot_product_attention(q, k, v, mask=mask)
        w_o = self.w_o.unflatten(0, (self.heads, -1))
        return torch.einsum("...hnd,hdm->...nm", heads, w_o)


@variant("multi_head", function="MultiHeadAttention")
class OneProductForAll(MultiHeadAttention):
    def forward(self, x, mask=None):
        together = x @ torch.cat([self.w_q, self.w_k, self.w_v], dim=1)
        q, k, v = (split_heads(one, self.num_heads) for one in together.chunk(3, dim=-1))
        scores = q @ k.mT / math.sqrt(q.shape[-1])
        if mask is not None:
            scores = scores.masked_fill(~mask.unsqueeze(-3), -math.inf)
        weights = torch.softmax(scores, dim=-1).nan_to_num(0.0)
        return torch.matmul(merge_heads(weights @ v), self.w_o)


@variant("multi_head", function="MultiHeadAttention")
class WithTorchsFunctionForOneHead(MultiHeadAttention):
    def forward(self, x, mask=None):
        q, k, v = (split_heads(x @ w, self.num_heads) for w in (self.w_q, self.w_k, self.w_v))
        mask = None if mask is None else mask.unsqueeze(-3)
        heads = functional.scaled_dot_product_attention(q, k, v, attn_mask=mask)
        return merge_heads(heads) @ self.w_o


@variant("block", function="FeedForward")
class NetworkOfLinearFunctions(nn.Module):
    def __init__(self, d_model, d_hidden):
        super().__init__()
        self.w_1 = nn.Parameter(torch.zeros(d_model, d_hidden).normal_(0, 0.02))
        self.b_1 = nn.Parameter(torch.zeros(d_hidden))
        self.w_2 = nn.Parameter(torch.zeros(d_hidden, d_model).normal_(0, 0.02))
        self.b_2 = nn.Parameter(torch.zeros(d_model))

    def forward(self, x):
        hidden = functional.relu(functional.linear(x, self.w_1.T, self.b_1))
        return functional.linear(hidden, self.w_2.T, self.b_2)


@variant("block", function="FeedForward")
class NetworkWithClamp(NetworkOfLinearFunctions):
    def forward(self, x):
        return (torch.matmul(x, self.w_1) + self.b_1).clamp(min=0).matmul(self.w_2) + self.b_2


class Norm(nn.Module):
    """A layer norm written out."""

    def __init__(self, d_model):
        super().__init__()
        self.weight = nn.Parameter(torch.ones(d_model))
        self.bias = nn.Parameter(torch.zeros(d_model))

    def forward(self, x):
        mean = x.mean(dim=-1, keepdim=True)
        variance = x.var(dim=-1, keepdim=True, unbiased=False)
        return (x - mean) * torch.rsqrt(variance + 1e-5) * self.weight + self.bias


@variant("block", function="EncoderBlock")
class BlockWithNormsWrittenOut(nn.Module):
    def __init__(self, d_model, num_heads, d_hidden):
        super().__init__()
        self.attention = MultiHeadAttention(d_model=d_model, num_heads=num_heads)
        self.feed_forward = NetworkOfLinearFunctions(d_model, d_hidden)
        self.norm_2, self.norm_1 = Norm(d_model), Norm(d_model)

    def forward(self, x, mask=None):
        attended = self.attention(self.norm_1(x), mask=mask)
        between = torch.add(attended, x)
        return self.feed_forward(self.norm_2(between)) + between


@variant("block", function="EncoderBlock")
class BlockWithoutStepThree(nn.Module):
    def __init__(self, d_model, num_heads, d_hidden):
        super().__init__()
        if d_model % num_heads:
            raise ValueError("not divisible")
        self.norm_1, self.norm_2 = nn.LayerNorm(d_model), nn.LayerNorm(d_model)
        self.attention = HeadAfterHead(d_model, num_heads)
        self.feed_forward = NetworkWithClamp(d_model, d_hidden)

    def forward(self, x, mask=None):
        for norm, part in ((self.norm_1, self._attend), (self.norm_2, self.feed_forward)):
            x = x + (part(norm(x), mask) if part == self._attend else part(norm(x)))
        return x

    def _attend(self, x, mask):
        return self.attention(x, mask)
