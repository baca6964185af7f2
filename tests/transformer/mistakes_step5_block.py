"""More known wrong answers to step 5: what a block adds to what. What comes first is the more
fundamental."""

from functools import partial

from step5_block import EncoderBlock
from torch import nn

from autograder.grading import mistake

_block = partial(mistake, "block", function="EncoderBlock")
post_norm = partial(
    _block,
    kind="norm after the sum",
    symptom="You normalise what comes out of a sum. What is normalised before each part?",
    answer="Pre-norm: `x + part(norm(x))`, not `norm(x + part(x))`.",
)
no_way_past = partial(
    _block,
    kind="no way past a part",
    symptom=(
        "With a part that gives nothing, tokens are lost or changed. What is each part added to?"
    ),
    answer="Both parts are added to what came in: `x + part(norm(x))`.",
)
wrong_norm = partial(
    _block,
    kind="norm missing, or in another's place",
    symptom="A norm has no effect, or works for the other part. Which one stands before which?",
    answer=(
        "norm_1 before the attention, norm_2 before the network, of what the attention added to."
    ),
)
wrong_order = partial(
    _block,
    kind="parts in another order",
    symptom="Your two parts do not come one after the other. What does the network work on?",
    answer="Attention first; the network works on the tokens after its sum.",
)


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


@wrong_order()
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
