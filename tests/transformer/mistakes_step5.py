"""Known wrong answers to step 5. What comes first is the more fundamental."""

from functools import partial

import torch
from step5_block import EncoderBlock, FeedForward
from torch import nn
from torch.nn import functional

from autograder.grading import mistake

_network = partial(mistake, "block", function="FeedForward")
_block = partial(mistake, "block", function="EncoderBlock")

network_parameters = partial(
    _network,
    kind="parameters of another name or shape",
    symptom="Weights cannot be loaded into your network by name. Which four are asked for?",
    answer="w_1 (d_model, d_hidden), b_1 (d_hidden,), w_2 (d_hidden, d_model), b_2 (d_model,).",
)
no_bias = partial(
    _network,
    kind="bias not added",
    symptom="One of your biases changes nothing. Where does each come in?",
    answer="`x @ w_1 + b_1`, ReLU, `@ w_2 + b_2`.",
)
activation = partial(
    _network,
    kind="ReLU missing or misplaced",
    symptom="What stands between your two layers is not one ReLU. Where is it, and which is it?",
    answer="One ReLU, between the layers: `torch.relu(x @ w_1 + b_1) @ w_2 + b_2`.",
)
more_than_a_network = partial(
    _network,
    kind="more than two layers",
    symptom="Your network does more than two layers and a ReLU. Whose work is residual and norm?",
    answer="The block adds and normalises; the network does neither.",
)
post_norm = partial(
    _block,
    kind="norm after the sum",
    symptom="You normalise what comes out of a sum. What is normalised before each part?",
    answer="Pre-norm: `x + part(norm(x))`, not `norm(x + part(x))`.",
)
no_way_past = partial(
    _block,
    kind="no way past a part",
    symptom="With a part that gives nothing, tokens are lost or changed. What is each part added to?",
    answer="Both parts are added to what came in: `x + part(norm(x))`.",
)
wrong_norm = partial(
    _block,
    kind="norm missing, or in another's place",
    symptom="A norm has no effect, or works for the other part. Which one stands before which?",
    answer="norm_1 before the attention, norm_2 before the network, of what the attention added to.",
)
wrong_order = partial(
    _block,
    kind="parts in another order",
    symptom="Your two parts do not come one after the other. What does the network work on?",
    answer="Attention first; the network works on the tokens after its sum.",
)
no_mask = partial(
    _block,
    kind="mask not handed on",
    symptom="Your block gives the same with a mask and without. Which part has to know of it?",
    answer="Hand it on to the attention: `self.attention(self.norm_1(x), mask)`.",
)
wrong_eps = partial(
    _block,
    kind="norm of another kind",
    symptom="Your norm is not the one asked for. What is under its root, and over what is its mean?",
    answer="`nn.LayerNorm(d_model)`: over one token, biased variance, eps 1e-5 under the root.",
)
more_than_a_block = partial(
    _block,
    kind="more than a block",
    symptom="Your block does more than two sums. Which line is not in the formula?",
    answer="No further norm, factor or dropout.",
)


@network_parameters()
class LinearLayersForTheNetwork(FeedForward):
    def __init__(self, d_model, d_hidden):
        nn.Module.__init__(self)
        self.layer_1, self.layer_2 = nn.Linear(d_model, d_hidden), nn.Linear(d_hidden, d_model)

    def forward(self, x):
        return self.layer_2(torch.relu(self.layer_1(x)))


@network_parameters()
class WeightsKeptTransposed(FeedForward):
    def __init__(self, d_model, d_hidden):
        super().__init__(d_hidden, d_model)
        self.b_1, self.b_2 = self.b_2, self.b_1

    def forward(self, x):
        return functional.linear(
            torch.relu(functional.linear(x, self.w_1, self.b_2)), self.w_2, self.b_1
        )


@network_parameters()
class NetworkWithoutBiases(FeedForward):
    def __init__(self, d_model, d_hidden):
        super().__init__(d_model, d_hidden)
        del self.b_1, self.b_2

    def forward(self, x):
        return torch.relu(x @ self.w_1) @ self.w_2


@no_bias()
class FirstBiasForgotten(FeedForward):
    def forward(self, x):
        return torch.relu(x @ self.w_1) @ self.w_2 + self.b_2


@no_bias()
class SecondBiasForgotten(FeedForward):
    def forward(self, x):
        return torch.relu(x @ self.w_1 + self.b_1) @ self.w_2


@no_bias()
class FirstBiasAfterTheRelu(FeedForward):
    def forward(self, x):
        return (torch.relu(x @ self.w_1) + self.b_1) @ self.w_2 + self.b_2


@activation()
class NoActivation(FeedForward):
    def forward(self, x):
        return (x @ self.w_1 + self.b_1) @ self.w_2 + self.b_2


@activation()
class GeluForRelu(FeedForward):
    def forward(self, x):
        return functional.gelu(x @ self.w_1 + self.b_1) @ self.w_2 + self.b_2


@activation()
class LeakyRelu(FeedForward):
    def forward(self, x):
        return functional.leaky_relu(x @ self.w_1 + self.b_1) @ self.w_2 + self.b_2


@activation()
class ReluAtTheEndToo(FeedForward):
    def forward(self, x):
        return torch.relu(super().forward(x))


@activation()
class ReluAtTheBeginning(FeedForward):
    def forward(self, x):
        return (torch.relu(x) @ self.w_1 + self.b_1) @ self.w_2 + self.b_2


@activation()
class SoftmaxForRelu(FeedForward):
    def forward(self, x):
        return torch.softmax(x @ self.w_1 + self.b_1, dim=-1) @ self.w_2 + self.b_2


@more_than_a_network()
class NetworkAddsItsInput(FeedForward):
    def forward(self, x):
        return x + super().forward(x)


@more_than_a_network()
class NetworkNormalisesItsInput(FeedForward):
    def forward(self, x):
        return super().forward(functional.layer_norm(x, x.shape[-1:]))


@more_than_a_network(
    kind="tokens mixed in the network",
    symptom="In your network tokens see each other. Over which axis does something sum or average?",
    answer="`x @ w` works on the last axis alone.",
)
class NetworkSubtractsTheMeanToken(FeedForward):
    def forward(self, x):
        return super().forward(x - x.mean(dim=-2, keepdim=True))


@more_than_a_network(
    kind="writes into its argument",
    symptom="After a call the tokens are not what they were. Which line changes them?",
    answer="Make a new tensor; `relu_` and `+=` write into the old one.",
)
class NetworkChangesItsInput(FeedForward):
    def forward(self, x):
        output = super().forward(x)
        x.relu_()
        return output


@more_than_a_network(
    kind="gradients cut off",
    symptom="No gradient comes to some of your weights. Which call takes a tensor out of the graph?",
    answer="Leave out `detach`, `.data` and `torch.no_grad()`.",
)
class NetworkCutInTheMiddle(FeedForward):
    def forward(self, x):
        hidden = torch.relu(x @ self.w_1 + self.b_1).detach()
        return hidden @ self.w_2 + self.b_2


@_block(
    kind="parts of another name",
    symptom="Weights cannot be loaded into your block by name. What are its four parts called?",
    answer="norm_1, attention, norm_2, feed_forward; a norm has weight and bias.",
)
class PartsOfOtherNames(EncoderBlock):
    def __init__(self, d_model, num_heads, d_hidden):
        super().__init__(d_model, num_heads, d_hidden)
        self.mha, self.ffn = self.attention, self.feed_forward
        del self.attention, self.feed_forward

    def forward(self, x, mask=None):
        x = x + self.mha(self.norm_1(x), mask)
        return x + self.ffn(self.norm_2(x))


@_block(
    kind="parts of another name",
    symptom="Weights cannot be loaded into your block by name. Which parameters has a norm?",
    answer="norm_1, attention, norm_2, feed_forward; a norm has weight and bias.",
)
class NormsWithoutParameters(EncoderBlock):
    def __init__(self, d_model, num_heads, d_hidden):
        super().__init__(d_model, num_heads, d_hidden)
        self.norm_1 = nn.LayerNorm(d_model, elementwise_affine=False)
        self.norm_2 = nn.LayerNorm(d_model, elementwise_affine=False)


@_block(
    kind="parts of another name",
    symptom="Weights cannot be loaded into your block by name. How many norms has it?",
    answer="Two norms with weights of their own: norm_1 and norm_2.",
)
class OneNormForBoth(EncoderBlock):
    def __init__(self, d_model, num_heads, d_hidden):
        super().__init__(d_model, num_heads, d_hidden)
        del self.norm_2

    def forward(self, x, mask=None):
        x = x + self.attention(self.norm_1(x), mask)
        return x + self.feed_forward(self.norm_1(x))


@post_norm()
class NormsAfterTheSums(EncoderBlock):
    def forward(self, x, mask=None):
        x = self.norm_1(x + self.attention(x, mask))
        return self.norm_2(x + self.feed_forward(x))


@post_norm()
class NormsOfWhatThePartsGive(EncoderBlock):
    def forward(self, x, mask=None):
        x = x + self.norm_1(self.attention(x, mask))
        return x + self.norm_2(self.feed_forward(x))


@no_way_past()
class NothingAddedToTheAttention(EncoderBlock):
    def forward(self, x, mask=None):
        x = self.attention(self.norm_1(x), mask)
        return x + self.feed_forward(self.norm_2(x))


@no_way_past()
class NothingAddedToTheNetwork(EncoderBlock):
    def forward(self, x, mask=None):
        x = x + self.attention(self.norm_1(x), mask)
        return self.feed_forward(self.norm_2(x))


@no_way_past()
class PartsOneAfterTheOther(EncoderBlock):
    def forward(self, x, mask=None):
        return self.feed_forward(self.norm_2(self.attention(self.norm_1(x), mask)))


@no_way_past()
class NormalisedTokensCarriedOn(EncoderBlock):
    def forward(self, x, mask=None):
        x = self.norm_1(x)
        x = x + self.attention(x, mask)
        x = self.norm_2(x)
        return x + self.feed_forward(x)


@no_way_past()
class FirstTokensAddedTwice(EncoderBlock):
    def forward(self, x, mask=None):
        y = x + self.attention(self.norm_1(x), mask)
        return x + y + self.feed_forward(self.norm_2(y))


@no_way_past()
class SumsNotKept(EncoderBlock):
    def forward(self, x, mask=None):
        y = x + self.attention(self.norm_1(x), mask)
        return x + self.feed_forward(self.norm_2(y))


@wrong_norm()
class FirstNormForBothParts(EncoderBlock):
    def forward(self, x, mask=None):
        x = x + self.attention(self.norm_1(x), mask)
        return x + self.feed_forward(self.norm_1(x))


@wrong_norm()
class NormsExchanged(EncoderBlock):
    def forward(self, x, mask=None):
        x = x + self.attention(self.norm_2(x), mask)
        return x + self.feed_forward(self.norm_1(x))


@wrong_norm()
class NoNormBeforeTheAttention(EncoderBlock):
    def forward(self, x, mask=None):
        x = x + self.attention(x, mask)
        return x + self.feed_forward(self.norm_2(x))


@wrong_norm()
class NoNormBeforeTheNetwork(EncoderBlock):
    def forward(self, x, mask=None):
        x = x + self.attention(self.norm_1(x), mask)
        return x + self.feed_forward(x)


@wrong_norm()
class SecondNormOfWhatCameIn(EncoderBlock):
    def forward(self, x, mask=None):
        y = x + self.attention(self.norm_1(x), mask)
        return y + self.feed_forward(self.norm_2(x))


@wrong_order()
class NetworkFirst(EncoderBlock):
    def forward(self, x, mask=None):
        x = x + self.feed_forward(self.norm_2(x))
        return x + self.attention(self.norm_1(x), mask)


@wrong_order()
class PartsSideBySide(EncoderBlock):
    def forward(self, x, mask=None):
        return x + self.attention(self.norm_1(x), mask) + self.feed_forward(self.norm_2(x))


@wrong_order()
class NoNetwork(EncoderBlock):
    def forward(self, x, mask=None):
        return x + self.attention(self.norm_1(x), mask)


@wrong_order()
class NoAttention(EncoderBlock):
    def forward(self, x, mask=None):
        return x + self.feed_forward(self.norm_2(x))


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
