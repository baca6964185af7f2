"""More known wrong answers to step 3: the layer's heads and mask, and what it should not do."""

import math
from functools import partial

from step2_masked_attention import scaled_dot_product_attention
from step3_multi_head import MultiHeadAttention, merge_heads, split_heads
from torch import nn

from autograder.grading import mistake

_wrong = partial(mistake, "multi_head", function="MultiHeadAttention")
scale = partial(
    _wrong,
    kind="scaled by the root of the whole width",
    symptom="With several heads your weights are too even. How wide is one head's key?",
    answer="The root of d_head, the last axis of a head's keys, not of d_model.",
)
shared = partial(
    _wrong,
    kind="heads not kept apart",
    symptom="Your heads do not each have an attention of their own. Over what does each sum?",
    answer="Split all three projections; attention then works on (..., heads, n, d_head).",
)
no_mask = partial(
    _wrong,
    kind="mask not handed on",
    symptom="Your layer gives the same with a mask and without. Which call has to know of it?",
    answer="Hand it on: `scaled_dot_product_attention(q, k, v, for_each_head)`.",
)
mask_axis = partial(
    _wrong,
    kind="head axis of the mask missing or misplaced",
    symptom=(
        "A mask with batch axes fails, or masks the wrong sequence. "
        "Where do the scores have their head axis, and where does the mask get one?"
    ),
    answer="`mask.unsqueeze(-3)`: before the axes of queries and keys, after those of the batch.",
)
more = partial(
    _wrong,
    kind="more than attention",
    symptom="Your layer does more than attention. Which line is not in the formula?",
    answer="No bias, no residual, no norm and no dropout: `merge_heads(heads) @ self.w_o`.",
)
not_refused = partial(
    _wrong,
    kind="a width that is not divisible not refused",
    symptom="A layer whose heads would not be equally wide is made all the same. When is it told?",
    answer="`raise ValueError(...)` in `__init__`.",
)


@scale()
class RootOfTheWholeWidth(MultiHeadAttention):
    def forward(self, x, mask=None):
        q = x @ self.w_q / math.sqrt(self.num_heads)
        return attend(self, q, x @ self.w_k, x @ self.w_v, mask)


@scale()
class RootOfTheNumberOfHeads(MultiHeadAttention):
    def forward(self, x, mask=None):
        q = x @ self.w_q * math.sqrt(x.shape[-1] / self.num_heads / self.num_heads)
        return attend(self, q, x @ self.w_k, x @ self.w_v, mask)


@scale(
    kind="scaled twice",
    symptom="With your own step 2 beneath, the scores are divided once more. Who scales them?",
    answer="Step 2 divides by the root already.",
)
class ScaledOnceMore(MultiHeadAttention):
    def forward(self, x, mask=None):
        q = x @ self.w_q / math.sqrt(x.shape[-1] / self.num_heads)
        return attend(self, q, x @ self.w_k, x @ self.w_v, mask)


@shared()
class OneHeadForAll(MultiHeadAttention):
    def forward(self, x, mask=None):
        q, k, v = x @ self.w_q, x @ self.w_k, x @ self.w_v
        return scaled_dot_product_attention(q, k, v, mask)[0] @ self.w_o


@shared()
class BlocksOfTokensForHeads(MultiHeadAttention):
    def forward(self, x, mask=None):
        *batch, n, d_model = x.shape
        sizes = (*batch, self.num_heads, n, d_model // self.num_heads)
        q, k, v = ((x @ w).reshape(sizes) for w in (self.w_q, self.w_k, self.w_v))
        mask = None if mask is None else mask.unsqueeze(-3)
        heads, _ = scaled_dot_product_attention(q, k, v, mask)
        return heads.reshape(x.shape) @ self.w_o


@shared(
    kind="merged without undoing the split",
    symptom="The columns of your heads end up at other tokens. Which axes did the split exchange?",
    answer="Exchange first, then join: `merge_heads(heads) @ self.w_o`.",
)
class HeadsMergedByReshapeAlone(MultiHeadAttention):
    def forward(self, x, mask=None):
        q, k, v = (split_heads(x @ w, self.num_heads) for w in (self.w_q, self.w_k, self.w_v))
        mask = None if mask is None else mask.unsqueeze(-3)
        heads, _ = scaled_dot_product_attention(q, k, v, mask)
        return heads.reshape(x.shape) @ self.w_o


@shared()
class AttentionAcrossHeads(MultiHeadAttention):
    def forward(self, x, mask=None):
        *batch, n, d_model = x.shape
        sizes = (*batch, n, self.num_heads, d_model // self.num_heads)
        q, k, v = ((x @ w).reshape(sizes) for w in (self.w_q, self.w_k, self.w_v))
        return scaled_dot_product_attention(q, k, v)[0].reshape(x.shape) @ self.w_o


@shared()
class EveryHeadLikeTheFirst(MultiHeadAttention):
    def forward(self, x, mask=None):
        q, k, v = (split_heads(x @ w, self.num_heads) for w in (self.w_q, self.w_k, self.w_v))
        mask = None if mask is None else mask.unsqueeze(-3)
        _, weights = scaled_dot_product_attention(q, k, v, mask)
        return merge_heads(weights[..., :1, :, :] @ v) @ self.w_o


@shared()
class OneSoftmaxForAllHeads(MultiHeadAttention):
    def forward(self, x, mask=None):
        q, k, v = (split_heads(x @ w, self.num_heads) for w in (self.w_q, self.w_k, self.w_v))
        mask = None if mask is None else mask.unsqueeze(-3)
        heads, _ = scaled_dot_product_attention(q, k, v, mask)
        return merge_heads(heads) / self.num_heads @ self.w_o


@no_mask()
class MaskNotHandedOn(MultiHeadAttention):
    def forward(self, x, mask=None):
        return super().forward(x)


@no_mask(
    kind="mask the wrong way round",
    symptom="Your layer hides what may be seen. Is your mask turned round on its way?",
    answer="Hand it on as it is: True = may attend, from step 1 to the end.",
)
class MaskInverted(MultiHeadAttention):
    def forward(self, x, mask=None):
        return super().forward(x, None if mask is None else ~mask)


@mask_axis()
class MaskHandedOnAsItIs(MultiHeadAttention):
    def forward(self, x, mask=None):
        q, k, v = (split_heads(x @ w, self.num_heads) for w in (self.w_q, self.w_k, self.w_v))
        heads, _ = scaled_dot_product_attention(q, k, v, mask)
        return merge_heads(heads) @ self.w_o


@mask_axis()
class HeadAxisOfTheMaskInFront(MultiHeadAttention):
    def forward(self, x, mask=None):
        q, k, v = (split_heads(x @ w, self.num_heads) for w in (self.w_q, self.w_k, self.w_v))
        mask = None if mask is None else mask.unsqueeze(0)
        heads, _ = scaled_dot_product_attention(q, k, v, mask)
        return merge_heads(heads) @ self.w_o


@mask_axis()
class HeadAxisOfTheMaskSecond(MultiHeadAttention):
    def forward(self, x, mask=None):
        q, k, v = (split_heads(x @ w, self.num_heads) for w in (self.w_q, self.w_k, self.w_v))
        mask = None if mask is None else mask.unsqueeze(1)
        heads, _ = scaled_dot_product_attention(q, k, v, mask)
        return merge_heads(heads) @ self.w_o


@mask_axis()
class MaskRepeatedForEveryHeadInTheBatch(MultiHeadAttention):
    def forward(self, x, mask=None):
        if mask is not None and mask.ndim > 2:
            mask = mask.repeat_interleave(self.num_heads, dim=0)
            mask = mask.unflatten(0, (self.num_heads, -1)).movedim(0, 1).movedim(1, -3)
            mask = mask.roll(1, dims=0)
        elif mask is not None:
            mask = mask.unsqueeze(-3)
        q, k, v = (split_heads(x @ w, self.num_heads) for w in (self.w_q, self.w_k, self.w_v))
        heads, _ = scaled_dot_product_attention(q, k, v, mask)
        return merge_heads(heads) @ self.w_o


@more()
class TokensAddedToTheOutput(MultiHeadAttention):
    def forward(self, x, mask=None):
        return x + super().forward(x, mask)


@more()
class TokensNormalisedFirst(MultiHeadAttention):
    def forward(self, x, mask=None):
        return super().forward(nn.functional.layer_norm(x, x.shape[-1:]), mask)


@more(
    kind="gradients cut off",
    symptom=(
        "No gradient comes to some of your weights. Which call takes a tensor out of the graph?"
    ),
    answer="Use the parameters themselves: no `.data`, no `.detach()`.",
)
class WeightsOutsideTheGraph(MultiHeadAttention):
    def forward(self, x, mask=None):
        q, k, v = x @ self.w_q.data, x @ self.w_k.data, x @ self.w_v
        return attend(self, q, k, v, mask)


@more(
    kind="another dtype than the inputs'",
    symptom="Your output has another dtype than what came in. Which line decides it?",
    answer="No `.float()`: x and the weights decide.",
)
class OutputInSinglePrecision(MultiHeadAttention):
    def forward(self, x, mask=None):
        return super().forward(x, mask).float()


@not_refused()
class AnyNumberOfHeads(MultiHeadAttention):
    def __init__(self, d_model, num_heads):
        super().__init__(d_model, 1)
        self.num_heads = num_heads


@not_refused()
class RefusedByAnAssert(MultiHeadAttention):
    def __init__(self, d_model, num_heads):
        assert d_model % num_heads == 0
        super().__init__(d_model, num_heads)


@more(
    kind="writes into its arguments",
    symptom="After a call the tokens are not what they were. Which line changes them?",
    answer="Make a new tensor in place of `x *= ...`.",
)
class TokensChangedOnTheWay(MultiHeadAttention):
    def forward(self, x, mask=None):
        output = super().forward(x, mask)
        x.mul_(2)
        return output


def attend(layer, q, k, v, mask, w_o=None):
    """What most get right, from the projections on."""
    q, k, v = (split_heads(one, layer.num_heads) for one in (q, k, v))
    mask = None if mask is None else mask.unsqueeze(-3)
    return merge_heads(scaled_dot_product_attention(q, k, v, mask)[0]) @ (
        layer.w_o if w_o is None else w_o
    )
