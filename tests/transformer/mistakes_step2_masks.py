"""More known wrong answers to step 2: what is done with the mask."""

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


@zero_is_no_score()
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
