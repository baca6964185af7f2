"""More known wrong answers to step 3: the layer's parameters and projections. What comes first
is the more fundamental; mistakes_step3_layer_more.py goes on."""

from functools import partial

import torch
from step2_masked_attention import scaled_dot_product_attention
from step3_multi_head import MultiHeadAttention, merge_heads, split_heads
from torch import nn

from autograder.grading import mistake

_wrong = partial(mistake, "multi_head", function="MultiHeadAttention")
parameters = partial(
    _wrong,
    kind="parameters of another name or shape",
    symptom="Weights cannot be loaded into your layer by name. Which four are asked for?",
    answer="`self.w_q = nn.Parameter(...)`, (d_model, d_model), and so for w_k, w_v, w_o.",
)
not_output_only = partial(
    _wrong,
    kind="more than the output returned",
    symptom="Your layer gives back more than one tensor. What does the next layer take?",
    answer="Return the output only.",
)
roles = partial(
    _wrong,
    kind="a projection in another's place",
    symptom="One of your weights does not do what its name says. What is made with which?",
    answer="Queries with w_q, keys with w_k, values with w_v, each from x; w_o last.",
)
transposed = partial(
    _wrong,
    kind="weights transposed",
    symptom="Your weights are used the other way round. Which axis of w meets a row of x?",
    answer="`x @ w`, as it is: nn.Linear keeps its weight transposed, this layer does not.",
)
no_mixing = partial(
    _wrong,
    kind="last product missing",
    symptom="w_o changes nothing in your layer. What mixes the heads with each other?",
    answer="`merge_heads(heads) @ self.w_o`.",
)


@_wrong(
    kind="returns nothing",
    symptom="Your layer works something out and hands nothing back. What does its caller get?",
    answer="End `forward` with `return merge_heads(heads) @ self.w_o`.",
)
class OutputNotReturned(MultiHeadAttention):
    def forward(self, x, mask=None):
        super().forward(x, mask)


@parameters()
class LinearLayersForWeights(MultiHeadAttention):
    def __init__(self, d_model, num_heads):
        super().__init__(d_model, num_heads)
        for name in ("w_q", "w_k", "w_v", "w_o"):
            delattr(self, name)
            setattr(self, name, nn.Linear(d_model, d_model, bias=False))

    def forward(self, x, mask=None):
        return attend(self, self.w_q(x), self.w_k(x), self.w_v(x), mask, self.w_o.weight.T)


@parameters()
class TensorsForParameters(MultiHeadAttention):
    def __init__(self, d_model, num_heads):
        super().__init__(d_model, num_heads)
        for name in ("w_q", "w_k", "w_v", "w_o"):
            delattr(self, name)
            setattr(self, name, torch.randn(d_model, d_model))


@parameters()
class ParametersOfOtherNames(MultiHeadAttention):
    def __init__(self, d_model, num_heads):
        super().__init__(d_model, num_heads)
        for name in ("w_q", "w_k", "w_v", "w_o"):
            delattr(self, name)
            setattr(self, name.upper(), nn.Parameter(torch.randn(d_model, d_model)))

    def forward(self, x, mask=None):
        return attend(self, x @ self.W_Q, x @ self.W_K, x @ self.W_V, mask, self.W_O)


@parameters()
class WeightsOfOneHeadEach(MultiHeadAttention):
    def __init__(self, d_model, num_heads):
        super().__init__(d_model, num_heads)
        d_head = d_model // num_heads
        for name in ("w_q", "w_k", "w_v"):
            setattr(self, name, nn.Parameter(torch.randn(d_head, d_head)))

    def forward(self, x, mask=None):
        heads = split_heads(x, self.num_heads)
        q, k, v = (heads @ w for w in (self.w_q, self.w_k, self.w_v))
        mask = None if mask is None else mask.unsqueeze(-3)
        return merge_heads(scaled_dot_product_attention(q, k, v, mask)[0]) @ self.w_o


@parameters(
    kind="biases in the projections",
    symptom=(
        "Your layer has parameters that are not asked for. What do attention's projections add?"
    ),
    answer="There are no biases: four matrices and nothing else.",
)
class BiasesInTheProjections(MultiHeadAttention):
    def __init__(self, d_model, num_heads):
        super().__init__(d_model, num_heads)
        self.b_o = nn.Parameter(torch.zeros(d_model))

    def forward(self, x, mask=None):
        return super().forward(x, mask) + self.b_o


@not_output_only()
class OutputAndWeights(MultiHeadAttention):
    def forward(self, x, mask=None):
        q, k, v = (split_heads(x @ w, self.num_heads) for w in (self.w_q, self.w_k, self.w_v))
        mask = None if mask is None else mask.unsqueeze(-3)
        heads, weights = scaled_dot_product_attention(q, k, v, mask)
        return merge_heads(heads) @ self.w_o, weights


@roles()
class KeysAndValuesExchanged(MultiHeadAttention):
    def forward(self, x, mask=None):
        return attend(self, x @ self.w_q, x @ self.w_v, x @ self.w_k, mask)


@roles()
class QueriesAndKeysExchanged(MultiHeadAttention):
    def forward(self, x, mask=None):
        return attend(self, x @ self.w_k, x @ self.w_q, x @ self.w_v, mask)


@roles()
class KeysMadeWithTheQueryWeights(MultiHeadAttention):
    def forward(self, x, mask=None):
        return attend(self, x @ self.w_q, x @ self.w_q, x @ self.w_v, mask)


@roles()
class ValuesNotProjected(MultiHeadAttention):
    def forward(self, x, mask=None):
        return attend(self, x @ self.w_q, x @ self.w_k, x, mask)


@roles()
class EachProjectionFedIntoTheNext(MultiHeadAttention):
    def forward(self, x, mask=None):
        q = x @ self.w_q
        k = q @ self.w_k
        return attend(self, q, k, k @ self.w_v, mask)


@transposed()
class WeightsTransposed(MultiHeadAttention):
    def forward(self, x, mask=None):
        return attend(self, x @ self.w_q.T, x @ self.w_k.T, x @ self.w_v.T, mask, self.w_o.T)


@transposed()
class LastWeightsTransposed(MultiHeadAttention):
    def forward(self, x, mask=None):
        return attend(self, x @ self.w_q, x @ self.w_k, x @ self.w_v, mask, self.w_o.T)


@no_mixing()
class HeadsOnlySideBySide(MultiHeadAttention):
    def forward(self, x, mask=None):
        identity = torch.eye(x.shape[-1], dtype=x.dtype)
        return attend(self, x @ self.w_q, x @ self.w_k, x @ self.w_v, mask, identity)


def attend(layer, q, k, v, mask, w_o=None):
    """What most get right, from the projections on."""
    q, k, v = (split_heads(one, layer.num_heads) for one in (q, k, v))
    mask = None if mask is None else mask.unsqueeze(-3)
    return merge_heads(scaled_dot_product_attention(q, k, v, mask)[0]) @ (
        layer.w_o if w_o is None else w_o
    )
