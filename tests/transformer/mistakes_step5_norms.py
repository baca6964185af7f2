"""More known wrong answers to step 5: the mask, the norms, and what a block should not do."""

from functools import partial

import torch
from step5_block import EncoderBlock
from torch.nn import functional

from autograder.grading import mistake

_block = partial(mistake, "block", function="EncoderBlock")
no_mask = partial(
    _block,
    kind="mask not handed on",
    symptom="Your block gives the same with a mask and without. Which part has to know of it?",
    answer="Hand it on to the attention: `self.attention(self.norm_1(x), mask)`.",
)
wrong_eps = partial(
    _block,
    kind="norm of another kind",
    symptom=(
        "Your norm is not the one asked for. What is under its root, and over what is its mean?"
    ),
    answer="`nn.LayerNorm(d_model)`: over one token, biased variance, eps 1e-5 under the root.",
)
more_than_a_block = partial(
    _block,
    kind="more than a block",
    symptom="Your block does more than two sums. Which line is not in the formula?",
    answer="No further norm, factor or dropout.",
)


@no_mask()
class BlockWithoutAMask(EncoderBlock):
    def forward(self, x, mask=None):
        return super().forward(x)


@wrong_eps()
class ALargerEps(EncoderBlock):
    def __init__(self, d_model, num_heads, d_hidden):
        super().__init__(d_model, num_heads, d_hidden)
        self.norm_1.eps = self.norm_2.eps = 1e-3


@wrong_eps()
class ASmallerEps(EncoderBlock):
    def __init__(self, d_model, num_heads, d_hidden):
        super().__init__(d_model, num_heads, d_hidden)
        self.norm_1.eps = self.norm_2.eps = 1e-6


@wrong_eps()
class NormOverTheTokens(EncoderBlock):
    def forward(self, x, mask=None):
        x = x + self.attention(over_tokens(x, self.norm_1), mask)
        return x + self.feed_forward(over_tokens(x, self.norm_2))


@wrong_eps()
class NormWithTheUnbiasedVariance(EncoderBlock):
    def forward(self, x, mask=None):
        x = x + self.attention(unbiased(x, self.norm_1), mask)
        return x + self.feed_forward(unbiased(x, self.norm_2))


@wrong_eps()
class NormWithEpsBesideTheRoot(EncoderBlock):
    def forward(self, x, mask=None):
        x = x + self.attention(beside_the_root(x, self.norm_1), mask)
        return x + self.feed_forward(beside_the_root(x, self.norm_2))


@wrong_eps()
class RootMeanSquareForTheNorm(EncoderBlock):
    def forward(self, x, mask=None):
        x = x + self.attention(by_size(x, self.norm_1), mask)
        return x + self.feed_forward(by_size(x, self.norm_2))


@wrong_eps()
class NormWithoutWeightAndBias(EncoderBlock):
    def forward(self, x, mask=None):
        x = x + self.attention(functional.layer_norm(x, x.shape[-1:]), mask)
        return x + self.feed_forward(functional.layer_norm(x, x.shape[-1:]))


@more_than_a_block()
class OneMoreNormAtTheEnd(EncoderBlock):
    def forward(self, x, mask=None):
        return functional.layer_norm(super().forward(x, mask), x.shape[-1:])


@more_than_a_block()
class TokensScaledByTheRootOfTheirWidth(EncoderBlock):
    def forward(self, x, mask=None):
        return super().forward(x * x.shape[-1] ** 0.5, mask)


@more_than_a_block()
class SumsHalved(EncoderBlock):
    def forward(self, x, mask=None):
        x = (x + self.attention(self.norm_1(x), mask)) / 2
        return (x + self.feed_forward(self.norm_2(x))) / 2


@more_than_a_block(
    kind="a block that is not divisible not refused",
    symptom="A block whose heads would not be equally wide is made all the same. When is it told?",
    answer="The attention refuses it, if it is made with both numbers as they are.",
)
class BlockOfAnyNumberOfHeads(EncoderBlock):
    def __init__(self, d_model, num_heads, d_hidden):
        while d_model % num_heads:
            num_heads -= 1
        super().__init__(d_model, num_heads, d_hidden)


@more_than_a_block(
    kind="writes into its argument",
    symptom="After a call the tokens are not what they were. Which line changes them?",
    answer="`x = x + ...` makes a new tensor; `x += ...` writes into the caller's.",
)
class SumsInPlace(EncoderBlock):
    def forward(self, x, mask=None):
        x += self.attention(self.norm_1(x), mask)
        x += self.feed_forward(self.norm_2(x))
        return x


@more_than_a_block(
    kind="another dtype than the inputs'",
    symptom="Your output has another dtype than what came in. Which line decides it?",
    answer="No `.float()`: x and the weights decide.",
)
class BlockInSinglePrecision(EncoderBlock):
    def forward(self, x, mask=None):
        return super().forward(x, mask).float()


@more_than_a_block(
    kind="gradients cut off",
    symptom="No gradient comes past your attention. Which call takes a tensor out of the graph?",
    answer="Leave out `detach`, `.data` and `torch.no_grad()`.",
)
class AttentionOutsideTheGraph(EncoderBlock):
    def forward(self, x, mask=None):
        with torch.no_grad():
            taken = self.attention(self.norm_1(x), mask)
        x = x + taken
        return x + self.feed_forward(self.norm_2(x))


def over_tokens(x, norm):
    """Each column normalised over the tokens."""
    centred = x - x.mean(dim=-2, keepdim=True)
    return centred / (centred.var(dim=-2, keepdim=True, correction=0) + 1e-5).sqrt() * norm.weight


def unbiased(x, norm):
    """With n - 1 in the variance."""
    centred = x - x.mean(dim=-1, keepdim=True)
    return centred / (x.var(dim=-1, keepdim=True) + 1e-5).sqrt() * norm.weight + norm.bias


def beside_the_root(x, norm):
    """With eps added to the standard deviation."""
    centred = x - x.mean(dim=-1, keepdim=True)
    return centred / (x.std(dim=-1, keepdim=True, correction=0) + 1e-5) * norm.weight + norm.bias


def by_size(x, norm):
    """Without subtracting the mean."""
    return x / (x.square().mean(dim=-1, keepdim=True) + 1e-5).sqrt() * norm.weight + norm.bias
