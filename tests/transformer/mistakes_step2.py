"""Known wrong answers to step 2: what is compared, and by what it is divided. What comes first
is the more fundamental; mistakes_step2_*.py go on."""

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
roles = partial(
    _wrong,
    kind="queries, keys and values exchanged",
    symptom="Something other than queries is compared with keys, or than values is mixed. What is?",
    answer="`q @ k.transpose(-2, -1)` for the scores, `weights @ v` for the output.",
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


def scores_of(q, k):
    """What most get right."""
    return q @ k.transpose(-2, -1) / math.sqrt(q.shape[-1])


def masked(scores, mask):
    """Right weights for these scores."""
    if mask is None:
        return torch.softmax(scores, dim=-1)
    blind = ~mask.any(dim=-1, keepdim=True)
    weights = torch.softmax(scores.masked_fill(~(mask | blind), -math.inf), dim=-1)
    return weights.masked_fill(blind, 0.0)
