"""More known wrong answers to step 2: the softmax, batch axes, dtypes, gradients and arguments."""

import math
from functools import partial

import torch

from autograder.grading import mistake

_wrong = partial(mistake, "masked_attention")
softmax_axis = partial(
    _wrong,
    kind="softmax over the wrong axis",
    symptom=(
        "Your weights are shared out along another axis than the keys. Which axis is the keys'?"
    ),
    answer="The keys are the last axis: `torch.softmax(scores, dim=-1)`.",
)
no_softmax = partial(
    _wrong,
    kind="softmax missing, thrown away or repeated",
    symptom="Your values are not mixed with the softmax of the scores. Which variable holds it?",
    answer="Exactly one softmax, and what it gives both multiplies v and is returned.",
)
overflow = partial(
    _wrong,
    kind="softmax that overflows",
    symptom="Large scores break your weights. What does exp give for a large number?",
    answer="Use `torch.softmax`, or subtract each row's maximum first.",
)
one_sequence = partial(
    _wrong,
    kind="one sequence taken for the rule",
    symptom="One sequence and a batch of them are not treated alike. Which axes do you name?",
    answer="Count axes from the end: `k.transpose(-2, -1)`, `dim=-1`.",
)
another_dtype = partial(
    _wrong,
    kind="another dtype than the inputs'",
    symptom="Your results have another dtype than what came in. Which line decides it?",
    answer="Let the inputs decide: no `.float()`, and no tensor of a fixed dtype.",
)


@softmax_axis()
def softmax_over_the_queries(q, k, v, mask=None):
    scores = hidden(scores_of(q, k), mask)
    weights = torch.softmax(scores, dim=-2).nan_to_num()
    return weights @ v, weights


@softmax_axis()
def softmax_over_the_first_axis(q, k, v, mask=None):
    weights = torch.softmax(hidden(scores_of(q, k), mask), dim=0).nan_to_num()
    return weights @ v, weights


@softmax_axis()
def softmax_over_the_second_axis(q, k, v, mask=None):
    weights = torch.softmax(hidden(scores_of(q, k), mask), dim=1).nan_to_num()
    return weights @ v, weights


@softmax_axis()
def softmax_over_the_third_axis_of_a_batch(q, k, v, mask=None):
    scores = hidden(scores_of(q, k), mask)
    weights = torch.softmax(scores, dim=min(2, scores.ndim - 1)).nan_to_num()
    return weights @ v, weights


@softmax_axis()
def softmax_over_queries_and_keys(q, k, v, mask=None):
    scores = hidden(scores_of(q, k), mask)
    weights = torch.softmax(scores.flatten(-2), dim=-1).nan_to_num().reshape(scores.shape)
    return weights @ v, weights


@no_softmax()
def scores_multiply_the_values(q, k, v, mask=None):
    scores = scores_of(q, k)
    return scores @ v, masked(scores, mask)


@no_softmax()
def softmax_twice(q, k, v, mask=None):
    weights = torch.softmax(masked(scores_of(q, k), mask), dim=-1)
    return weights @ v, weights


@no_softmax()
def scores_over_their_sum(q, k, v, mask=None):
    scores = scores_of(q, k)
    scores = scores if mask is None else scores * mask
    weights = scores / scores.sum(dim=-1, keepdim=True)
    return weights @ v, weights


@no_softmax()
def logarithms_of_the_weights_returned(q, k, v, mask=None):
    weights = masked(scores_of(q, k), mask)
    return weights @ v, weights.log()


@overflow()
def exponentials_as_they_are(q, k, v, mask=None):
    powers = torch.exp(scores_of(q, k))
    powers = powers if mask is None else powers * mask
    total = powers.sum(dim=-1, keepdim=True)
    weights = powers / total.masked_fill(total == 0, 1)
    return weights @ v, weights


@overflow(
    kind="renormalised after the softmax",
    symptom="Where hidden scores are far above visible ones, nothing is left. Of what is the sum?",
    answer="Hide the scores before maximum and exponentials; then there is nothing to repair.",
)
def hidden_after_the_exponentials(q, k, v, mask=None):
    scores = scores_of(q, k)
    powers = torch.exp(scores - scores.amax(dim=-1, keepdim=True))
    powers = powers if mask is None else powers * mask
    total = powers.sum(dim=-1, keepdim=True)
    weights = powers / total.masked_fill(total == 0, 1)
    return weights @ v, weights


@overflow(
    kind="something added to the sum",
    symptom="The rows of your weights sum to a little less than one. What is added to the sum?",
    answer="The sum is at least 1 after the maximum was subtracted: divide by it as it is.",
)
def a_little_added_to_the_sum(q, k, v, mask=None):
    scores = hidden(scores_of(q, k), mask)
    largest = scores.amax(dim=-1, keepdim=True)
    powers = torch.exp(scores - largest.masked_fill(largest == -math.inf, 0))
    weights = powers / (powers.sum(dim=-1, keepdim=True) + 1e-6)
    return weights @ v, weights


@one_sequence()
def last_axes_of_one_batch_only(q, k, v, mask=None):
    weights = masked(q @ k.transpose(1, 2) / math.sqrt(q.shape[-1]), mask)
    return weights @ v, weights


@one_sequence()
def all_axes_of_the_keys_turned(q, k, v, mask=None):
    weights = masked(q @ k.permute(*reversed(range(k.ndim))) / math.sqrt(q.shape[-1]), mask)
    return weights @ v, weights


@one_sequence()
def one_batch_axis_named(q, k, v, mask=None):
    scores = torch.einsum("bid,bjd->bij", q, k) / math.sqrt(q.shape[-1])
    weights = masked(scores, mask)
    return weights @ v, weights


@another_dtype()
def results_in_single_precision(q, k, v, mask=None):
    weights = masked(scores_of(q.float(), k.float()), mask)
    return weights @ v.float(), weights


@another_dtype()
def weights_in_single_precision(q, k, v, mask=None):
    weights = masked(scores_of(q, k).float(), mask)
    return (weights @ v.float()).to(q.dtype), weights


@_wrong(
    kind="gradients cut off",
    symptom="No gradient comes through your weights. Which call takes a tensor out of the graph?",
    answer="Leave out `detach`, `.data`, `.item()` and `torch.no_grad()`.",
)
def weights_detached(q, k, v, mask=None):
    weights = masked(scores_of(q, k), mask).detach()
    return weights @ v, weights


@_wrong(
    kind="gradients cut off",
    symptom="No gradient comes to the keys. Which call takes a tensor out of the graph?",
    answer="Leave out `detach`, `.data`, `.item()` and `torch.no_grad()`.",
)
def keys_detached(q, k, v, mask=None):
    weights = masked(scores_of(q, k.detach()), mask)
    return weights @ v, weights


@_wrong(
    kind="writes into its arguments",
    symptom="After a call, an argument is not what it was. Which line changes it?",
    answer="Make a new tensor, `q = q / root`, where `q /= root` writes into the caller's.",
)
def queries_scaled_in_place(q, k, v, mask=None):
    q *= q.shape[-1] ** -0.5
    weights = masked(q @ k.transpose(-2, -1), mask)
    return weights @ v, weights


@_wrong(
    kind="writes into its arguments",
    symptom="After a call, the mask is not what it was. Which line changes it?",
    answer="`~mask` makes a new tensor; `mask.logical_not_()` writes into the caller's.",
)
def mask_inverted_in_place(q, k, v, mask=None):
    weights = masked(scores_of(q, k), mask)
    if mask is not None:
        mask.logical_not_()
    return weights @ v, weights


def scores_of(q, k):
    """What most get right."""
    return q @ k.transpose(-2, -1) / math.sqrt(q.shape[-1])


def hidden(scores, mask):
    """Hidden scores at -inf."""
    return scores if mask is None else scores.masked_fill(~mask, -math.inf)


def masked(scores, mask):
    """Right weights for these scores."""
    if mask is None:
        return torch.softmax(scores, dim=-1)
    blind = ~mask.any(dim=-1, keepdim=True)
    weights = torch.softmax(scores.masked_fill(~(mask | blind), -math.inf), dim=-1)
    return weights.masked_fill(blind, 0.0)
