"""More known wrong answers to step 2: queries that see nothing, and masks by numbers."""

import math
from functools import partial

import torch

from autograder.grading import mistake

_wrong = partial(mistake, "masked_attention")
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
