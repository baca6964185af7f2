"""More known wrong answers to step 2: masks, and queries that see nothing."""

import math
from functools import partial

import torch

from autograder.grading import mistake

_wrong = partial(mistake, "masked_attention")

no_mask = partial(
    _wrong,
    kind="mask without an effect",
    symptom="What you hide still gets weight. What does your mask change?",
    answer="masked_fill gives a new tensor: `scores = scores.masked_fill(~mask, -math.inf)`.",
)
inverted = partial(
    _wrong,
    kind="mask the wrong way round",
    symptom="You hide what may be seen and show the rest. What does True mean?",
    answer="True = may attend: fill where `~mask`.",
)
zero_is_no_score = partial(
    _wrong,
    kind="hidden scores set to zero",
    symptom="Hidden keys take part as if they scored zero. What is the exponential of 0?",
    answer="A hidden score has to be -inf, since exp(-inf) is 0: `masked_fill(~mask, -math.inf)`.",
)
after_softmax = partial(
    _wrong,
    kind="hidden after the softmax",
    symptom="Your visible weights do not sum to one. What was in the sum that divides them?",
    answer="Hide the scores before the softmax.",
)
weak = partial(
    _wrong,
    kind="hidden by a number that is not low enough",
    symptom="A hidden key still gets weight beside a low visible score. How low can scores be?",
    answer="Only -inf is lower than every score: `masked_fill(~mask, -math.inf)`.",
)
not_a_number = partial(
    _wrong,
    kind="infinity times zero",
    symptom="Your mask makes NaN out of ordinary scores. What is infinity times zero?",
    answer="Choose, do not multiply: `masked_fill` or `torch.where`.",
)
blind_nan = partial(
    _wrong,
    kind="NaN for a query that sees nothing",
    symptom="A query that may attend to nothing gets NaN. What is its row of scores like?",
    answer="Such a row needs care: fill it with 0 before the softmax and its weights after it.",
)
blind_nan_below = partial(
    _wrong,
    kind="NaN in the gradients of a query that sees nothing",
    symptom="Values are right, but a query that sees nothing sends NaN back. What is in the graph?",
    answer="NaN comes back through a replaced one: keep it from arising, before the softmax.",
)
blind_uniform = partial(
    _wrong,
    kind="weight for a query that sees nothing",
    symptom="A query that may attend to nothing still mixes values. What should its weights be?",
    answer="Set the weights of such a row to 0: `weights.masked_fill(blind, 0)`.",
)
keys_silenced = partial(
    _wrong,
    kind="hidden keys or values set to zero",
    symptom="A key of zeros is not a hidden one. Which score does it get, and which weight?",
    answer="Hide the scores, not the keys: `scores.masked_fill(~mask, -math.inf)`.",
)
narrow = partial(
    _wrong,
    kind="a constant that a narrow dtype cannot hold",
    symptom="In half precision your function raises. Which number does not fit there?",
    answer="-inf fits in every floating-point dtype, -1e9 does not.",
)


@no_mask()
def mask_ignored(q, k, v, mask=None):
    weights = torch.softmax(scores_of(q, k), dim=-1)
    return weights @ v, weights


@no_mask()
def result_of_masked_fill_dropped(q, k, v, mask=None):
    scores = scores_of(q, k)
    if mask is not None:
        scores.masked_fill(~mask, -math.inf)
    weights = torch.softmax(scores, dim=-1)
    return weights @ v, weights


@no_mask()
def almost_nothing_for_minus_infinity(q, k, v, mask=None):
    return filled(q, k, v, mask, -1e-12)


@no_mask(
    kind="no way without a mask",
    symptom="Without a mask your function raises. What does None mean?",
    answer="None means that every key is seen: only fill `if mask is not None`.",
)
def mask_taken_for_granted(q, k, v, mask=None):
    blind = ~mask.any(dim=-1, keepdim=True)
    scores = scores_of(q, k).masked_fill(~(mask | blind), -math.inf)
    weights = torch.softmax(scores, dim=-1).masked_fill(blind, 0.0)
    return weights @ v, weights


@no_mask(
    kind="a method that there is not",
    symptom="With a mask your function raises, without one it does not. Was that line ever run?",
    answer="The method is called `masked_fill`.",
)
def masked_by_a_method_that_there_is_not(q, k, v, mask=None):
    scores = scores_of(q, k)
    if mask is not None:
        scores = scores.mask_fill(~mask, -math.inf)
    weights = torch.softmax(scores, dim=-1)
    return weights @ v, weights


@no_mask(
    kind="a causal mask of one's own",
    symptom="You hide the future whether it is asked for or not. Who says what is hidden?",
    answer="Hide what the mask hides, and nothing else.",
)
def future_always_hidden(q, k, v, mask=None):
    scores = scores_of(q, k)
    past = torch.ones(scores.shape[-2:], dtype=torch.bool, device=q.device).tril()
    return right(scores, v, past if mask is None else past & mask)


@inverted()
def visible_keys_hidden(q, k, v, mask=None):
    return right(scores_of(q, k), v, None if mask is None else ~mask)


@inverted(
    kind="mask applied to the queries",
    symptom="Your mask hides rows in place of columns. Which axis of the scores is the keys'?",
    answer="The mask's last axis is the keys': it broadcasts as it is, without a transpose.",
)
def mask_transposed_where_square(q, k, v, mask=None):
    scores = scores_of(q, k)
    if mask is not None and scores.shape[-1] == scores.shape[-2]:
        mask = mask.transpose(-2, -1)
    return right(scores, v, mask)


@zero_is_no_score()
def scores_times_the_mask(q, k, v, mask=None):
    scores = scores_of(q, k)
    weights = torch.softmax(scores if mask is None else scores * mask, dim=-1)
    return weights @ v, weights


@zero_is_no_score(
    kind="mask added to the scores",
    symptom="Your mask is added to the scores. What does adding True change?",
    answer="A boolean mask chooses: `masked_fill(~mask, -math.inf)`.",
)
def truth_values_added(q, k, v, mask=None):
    scores = scores_of(q, k)
    weights = torch.softmax(scores if mask is None else scores + mask, dim=-1)
    return weights @ v, weights


@zero_is_no_score(
    kind="a score of zero taken for a hidden one",
    symptom="A visible key that scores exactly zero is hidden. How do you know a hidden score?",
    answer="Ask the mask, not the score: `masked_fill(~mask, -math.inf)`.",
)
def scores_of_zero_hidden(q, k, v, mask=None):
    scores = scores_of(q, k)
    if mask is None:
        return right(scores, v, None)
    return right(scores, v, scores * mask != 0)


@after_softmax()
def weights_times_the_mask(q, k, v, mask=None):
    weights = torch.softmax(scores_of(q, k), dim=-1)
    weights = weights if mask is None else weights * mask
    return weights @ v, weights


@after_softmax()
def large_number_taken_from_the_weights(q, k, v, mask=None):
    weights = torch.softmax(scores_of(q, k), dim=-1)
    weights = weights if mask is None else weights - 1e9 * ~mask
    return weights @ v, weights


@after_softmax(
    kind="renormalised after the softmax",
    symptom="Where hidden scores are far above visible ones, nothing is left. Of what is the sum?",
    answer="Hide the scores before the softmax; then there is nothing to repair.",
)
def weights_times_the_mask_over_their_sum(q, k, v, mask=None):
    weights = torch.softmax(scores_of(q, k), dim=-1)
    if mask is not None:
        weights = weights * mask
        weights = weights / weights.sum(dim=-1, keepdim=True).clamp(min=1e-12)
    return weights @ v, weights


@weak()
def hidden_by_minus_ten_thousand(q, k, v, mask=None):
    return filled(q, k, v, mask, -1e4, blind_too=True)


@weak()
def hidden_by_minus_a_hundred(q, k, v, mask=None):
    return filled(q, k, v, mask, -100.0, blind_too=True)


@weak()
def ten_thousand_subtracted(q, k, v, mask=None):
    scores = scores_of(q, k)
    if mask is None:
        return right(scores, v, None)
    weights = torch.softmax(scores - 1e4 * ~mask, dim=-1)
    weights = weights.masked_fill(~mask.any(dim=-1, keepdim=True), 0)
    return weights @ v, weights


@not_a_number()
def plus_infinity(q, k, v, mask=None):
    return filled(q, k, v, mask, math.inf)


@not_a_number()
def infinity_times_the_mask(q, k, v, mask=None):
    scores = scores_of(q, k)
    if mask is not None:
        scores = scores + (~mask).to(scores.dtype) * -math.inf
    weights = torch.softmax(scores, dim=-1)
    return weights @ v, weights


@blind_nan()
def nothing_done_for_who_sees_nothing(q, k, v, mask=None):
    return filled(q, k, v, mask, -math.inf)


@blind_nan(
    kind="NaN swept out of the output only",
    symptom="One of your results is NaN where a query sees nothing. Which of the two is it?",
    answer="Mend the weights, then multiply: both results come from them.",
)
def nan_left_in_the_weights(q, k, v, mask=None):
    output, weights = filled(q, k, v, mask, -math.inf)
    return output.nan_to_num(), weights


@blind_nan_below()
def minus_infinity_added_and_nan_replaced(q, k, v, mask=None):
    scores = scores_of(q, k)
    if mask is None:
        return right(scores, v, None)
    bias = torch.zeros(mask.shape, dtype=q.dtype, device=q.device).masked_fill(~mask, -math.inf)
    weights = torch.softmax(scores + bias, dim=-1).nan_to_num()
    return weights @ v, weights


@blind_nan_below()
def nan_replaced_in_a_softmax_of_its_own(q, k, v, mask=None):
    scores = scores_of(q, k)
    if mask is None:
        return right(scores, v, None)
    powers = torch.exp(scores - scores.masked_fill(~mask, -math.inf).amax(-1, keepdim=True)) * mask
    weights = powers / powers.sum(dim=-1, keepdim=True)
    weights = torch.where(mask.any(dim=-1, keepdim=True), weights, 0.0)
    return weights @ v, weights


@blind_uniform()
def minus_a_thousand_million_for_minus_infinity(q, k, v, mask=None):
    lowest = -1e9 if torch.finfo(q.dtype).max > 1e9 else torch.finfo(q.dtype).min
    return filled(q, k, v, mask, lowest)


@blind_uniform()
def lowest_number_for_minus_infinity(q, k, v, mask=None):
    return filled(q, k, v, mask, torch.finfo(q.dtype).min)


@blind_uniform()
def who_sees_nothing_sees_everything(q, k, v, mask=None):
    scores = scores_of(q, k)
    if mask is None:
        return right(scores, v, None)
    blind = ~mask.any(dim=-1, keepdim=True)
    weights = torch.softmax(scores.masked_fill(~(mask | blind), -math.inf), dim=-1)
    return weights @ v, weights


@blind_uniform()
def weights_left_beside_an_output_of_zero(q, k, v, mask=None):
    output, weights = filled(q, k, v, mask, torch.finfo(q.dtype).min)
    if mask is not None:
        output = output.masked_fill(~mask.any(dim=-1, keepdim=True), 0)
    return output, weights


@blind_uniform(
    kind="one blind query blinds all",
    symptom="Where one query sees nothing, others get nothing either. Over what is `any` taken?",
    answer="Ask each row by itself: `mask.any(dim=-1, keepdim=True)`.",
)
def one_blind_query_blinds_all(q, k, v, mask=None):
    output, weights = filled(q, k, v, mask, torch.finfo(q.dtype).min)
    if mask is not None and not bool(mask.any(dim=-1).all()):
        return torch.zeros_like(output), torch.zeros_like(weights)
    return output, weights


@keys_silenced()
def values_of_hidden_keys_set_to_zero(q, k, v, mask=None):
    weights = torch.softmax(scores_of(q, k), dim=-1)
    if mask is None:
        return weights @ v, weights
    return (weights * mask) @ v, weights


@keys_silenced()
def keys_hidden_from_all_set_to_zero(q, k, v, mask=None):
    if mask is not None:
        seen = mask.any(dim=-2).unsqueeze(-1)
        k, v = k * seen, v * seen
    weights = torch.softmax(scores_of(q, k), dim=-1)
    return weights @ v, weights


@narrow()
def minus_a_thousand_million_in_any_dtype(q, k, v, mask=None):
    scores = scores_of(q, k)
    if mask is None:
        return right(scores, v, None)
    weights = torch.softmax(scores.masked_fill(~mask, -1e9), dim=-1)
    weights = weights.masked_fill(~mask.any(dim=-1, keepdim=True), 0)
    return weights @ v, weights


@narrow(
    kind="mask made on another device",
    symptom="Your function mixes tensors of two devices. Which one is made by you, and where?",
    answer="Make it from an input, or hand its device on: `torch.zeros(..., device=q.device)`.",
)
def bias_without_device(q, k, v, mask=None):
    scores = scores_of(q, k)
    if mask is None:
        return right(scores, v, None)
    unseen = torch.full(scores.shape, torch.finfo(q.dtype).min, dtype=q.dtype)
    weights = torch.softmax(torch.where(mask, scores, unseen), dim=-1)
    weights = weights.masked_fill(~mask.any(dim=-1, keepdim=True), 0)
    return weights @ v, weights


def scores_of(q, k):
    """What most get right."""
    return q @ k.transpose(-2, -1) / math.sqrt(q.shape[-1])


def filled(q, k, v, mask, lowest, blind_too=False):
    """With hidden scores at `lowest`; with weights 0 for who sees nothing, if that is asked for."""
    scores = scores_of(q, k)
    if mask is not None:
        scores = scores.masked_fill(~mask, lowest)
    weights = torch.softmax(scores, dim=-1)
    if mask is not None and blind_too:
        weights = weights.masked_fill(~mask.any(dim=-1, keepdim=True), 0)
    return weights @ v, weights


def right(scores, v, mask):
    """Right for these scores and this mask."""
    if mask is None:
        weights = torch.softmax(scores, dim=-1)
    else:
        blind = ~mask.any(dim=-1, keepdim=True)
        weights = torch.softmax(scores.masked_fill(~(mask | blind), -math.inf), dim=-1)
        weights = weights.masked_fill(blind, 0.0)
    return weights @ v, weights
