"""Known wrong answers to step 2: what is computed with any mask and without. What comes first is the
more fundamental; mistakes_step2_masks.py goes on."""

import math
from functools import partial

import torch

from autograder.grading import mistake

_wrong = partial(mistake, "masked_attention")

two_results = _wrong(
    kind="output and weights not returned as two results",
    symptom="You do not return two results. Which two does your caller ask for?",
    answer="Return both, the output first: `return weights @ v, weights`.",
)
scale = partial(
    _wrong,
    kind="scores not divided by the root of the key width",
    symptom=(
        "Your weights are too even or too sharp for these scores. "
        "What are they divided by, and how often?"
    ),
    answer="Divide the scores once by `math.sqrt(q.shape[-1])`.",
)
wrong_width = partial(
    _wrong,
    kind="root of another size than the key width",
    symptom="How your scores are scaled depends on a size that is not theirs. How wide is one key?",
    answer="d_k is the last axis of q and of k: `q.shape[-1]`.",
)
softmax_axis = partial(
    _wrong,
    kind="softmax over the wrong axis",
    symptom="Your weights are shared out along another axis than the keys. Which axis is the keys'?",
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
roles = partial(
    _wrong,
    kind="queries, keys and values exchanged",
    symptom="Something other than queries is compared with keys, or than values is mixed. What is?",
    answer="`q @ k.transpose(-2, -1)` for the scores, `weights @ v` for the output.",
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


@_wrong(
    kind="returns nothing",
    symptom="Your function works something out and hands nothing back. What does its caller get?",
    answer="End with `return weights @ v, weights`.",
)
def attention_not_returned(q, k, v, mask=None):
    masked(q @ k.transpose(-2, -1), mask) @ v


@two_results
def only_the_output(q, k, v, mask=None):
    return masked(scores_of(q, k), mask) @ v


@two_results
def only_the_weights(q, k, v, mask=None):
    return masked(scores_of(q, k), mask)


@_wrong(
    kind="results in the wrong order",
    symptom="What comes first should come second. In which order are the results asked for?",
    answer="Output first, then the weights: `return weights @ v, weights`.",
)
def weights_before_the_output(q, k, v, mask=None):
    weights = masked(scores_of(q, k), mask)
    return weights, weights @ v


@roles()
def scores_of_keys_against_queries(q, k, v, mask=None):
    weights = masked(k @ q.transpose(-2, -1) / math.sqrt(q.shape[-1]), mask)
    return weights @ v, weights


@roles()
def scores_turned_over_where_square(q, k, v, mask=None):
    scores = scores_of(q, k)
    if scores.shape[-1] == scores.shape[-2]:
        scores = scores.transpose(-2, -1)
    weights = masked(scores, mask)
    return weights @ v, weights


@roles()
def queries_against_values(q, k, v, mask=None):
    weights = masked(scores_of(q, v), mask)
    return weights @ v, weights


@roles()
def queries_against_themselves(q, k, v, mask=None):
    weights = masked(scores_of(q, q), mask)
    return weights @ v, weights


@roles()
def keys_mixed(q, k, v, mask=None):
    weights = masked(scores_of(q, k), mask)
    return weights @ k, weights


@roles()
def weights_transposed_before_the_values(q, k, v, mask=None):
    weights = masked(scores_of(q, k), mask)
    return weights.transpose(-2, -1) @ v, weights


@roles(
    kind="keys not transposed",
    symptom="Queries meet something else than whole keys. What is a column of the right factor?",
    answer="A column has to be one key: `k.transpose(-2, -1)`, which reshape is not.",
)
def keys_reshaped(q, k, v, mask=None):
    columns = k.reshape(*k.shape[:-2], k.shape[-1], k.shape[-2])
    weights = masked(q @ columns / math.sqrt(q.shape[-1]), mask)
    return weights @ v, weights


@scale()
def not_scaled(q, k, v, mask=None):
    weights = masked(q @ k.transpose(-2, -1), mask)
    return weights @ v, weights


@scale()
def divided_by_the_width_itself(q, k, v, mask=None):
    weights = masked(q @ k.transpose(-2, -1) / q.shape[-1], mask)
    return weights @ v, weights


@scale()
def multiplied_by_the_root(q, k, v, mask=None):
    weights = masked(q @ k.transpose(-2, -1) * math.sqrt(q.shape[-1]), mask)
    return weights @ v, weights


@scale()
def root_cut_to_a_whole_number(q, k, v, mask=None):
    weights = masked(q @ k.transpose(-2, -1) / int(math.sqrt(q.shape[-1])), mask)
    return weights @ v, weights


@scale()
def divided_by_eight_as_in_the_paper(q, k, v, mask=None):
    weights = masked(q @ k.transpose(-2, -1) / 8, mask)
    return weights @ v, weights


@scale(
    kind="scaled after the softmax",
    symptom="The rows of your weights do not sum to one. What is done to them after the softmax?",
    answer="Scale the scores, before the softmax.",
)
def scaled_after_the_softmax(q, k, v, mask=None):
    weights = masked(q @ k.transpose(-2, -1), mask) / math.sqrt(q.shape[-1])
    return weights @ v, weights


@wrong_width()
def root_of_the_number_of_keys(q, k, v, mask=None):
    weights = masked(q @ k.transpose(-2, -1) / math.sqrt(k.shape[-2]), mask)
    return weights @ v, weights


@wrong_width()
def root_of_the_number_of_queries(q, k, v, mask=None):
    weights = masked(q @ k.transpose(-2, -1) / math.sqrt(q.shape[-2]), mask)
    return weights @ v, weights


@wrong_width()
def root_of_the_width_of_the_values(q, k, v, mask=None):
    weights = masked(q @ k.transpose(-2, -1) / math.sqrt(v.shape[-1]), mask)
    return weights @ v, weights


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
    kind="maximum taken over hidden scores too",
    symptom="A large hidden score makes the visible ones vanish. Whose maximum is subtracted?",
    answer="Hide first: set hidden scores to -inf before the maximum and the exponentials.",
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
