"""Known wrong answers to step 2: what is computed and returned. What comes first is the more
fundamental; mistakes_step2_graph.py and mistakes_step2_slips.py go on."""

import math

import torch
from step2_attention import self_attention

from autograder.grading import mistake


@mistake(
    "attention",
    kind="returns nothing",
    symptom="Your function works something out and hands nothing back. What does its caller get?",
    answer="End with `return weights @ v, weights`.",
)
def output_and_weights_not_returned(x, w_q, w_k, w_v):
    self_attention(x, w_q, w_k, w_v)


two_results = mistake(
    "attention",
    kind="output and weights not returned as two results",
    symptom="You do not return two results. Which two does your caller ask for, and what does your "
    "last line put together?",
    answer="Return both, the output first: `return weights @ v, weights`.",
)


@two_results
def only_the_output(x, w_q, w_k, w_v):
    return self_attention(x, w_q, w_k, w_v)[0]


@two_results
def only_the_weights(x, w_q, w_k, w_v):
    return self_attention(x, w_q, w_k, w_v)[1]


@mistake(
    "attention",
    kind="results in the wrong order",
    symptom="What comes first should come second. In which order does your caller expect output "
    "and weights?",
    answer="Output first, then the weights: `return weights @ v, weights`.",
)
def weights_before_the_output(x, w_q, w_k, w_v):
    return self_attention(x, w_q, w_k, w_v)[::-1]


def _attend(q, k, v, scale, shares=lambda scores: torch.softmax(scores, dim=-1)):
    weights = shares(q @ k.transpose(-2, -1) * scale)
    return weights @ v, weights


another_scale = mistake(
    "attention",
    kind="scores scaled otherwise",
    symptom="Your weights are sharper or flatter than they should be. By what are scores divided, "
    "and where does that number come from?",
    answer="Divide by the root of the key width: `/ math.sqrt(k.shape[-1])`, once.",
)


@another_scale
def no_scaling(x, w_q, w_k, w_v):
    return _attend(x @ w_q, x @ w_k, x @ w_v, 1)


@another_scale
def divided_by_the_width_itself(x, w_q, w_k, w_v):
    return _attend(x @ w_q, x @ w_k, x @ w_v, 1 / w_k.shape[-1])


@another_scale
def root_of_the_model_width(x, w_q, w_k, w_v):
    return _attend(x @ w_q, x @ w_k, x @ w_v, 1 / math.sqrt(x.shape[-1]))


@another_scale
def root_of_the_value_width(x, w_q, w_k, w_v):
    return _attend(x @ w_q, x @ w_k, x @ w_v, 1 / math.sqrt(w_v.shape[-1]))


@another_scale
def root_of_the_number_of_tokens(x, w_q, w_k, w_v):
    return _attend(x @ w_q, x @ w_k, x @ w_v, 1 / math.sqrt(x.shape[-2]))


@another_scale
def multiplied_by_the_root(x, w_q, w_k, w_v):
    return _attend(x @ w_q, x @ w_k, x @ w_v, math.sqrt(w_k.shape[-1]))


@another_scale
def whole_number_root(x, w_q, w_k, w_v):
    return _attend(x @ w_q, x @ w_k, x @ w_v, 1 / math.isqrt(w_k.shape[-1]))


@another_scale
def weights_scaled_after_the_softmax(x, w_q, w_k, w_v):
    output, weights = no_scaling(x, w_q, w_k, w_v)
    scale = math.sqrt(w_k.shape[-1])
    return output / scale, weights / scale


over_another_axis = mistake(
    "attention",
    kind="softmax over the wrong axis",
    symptom="Your rows of weights do not sum to one: they are shared out along another axis. Who "
    "shares out a unit of weight, and over what?",
    answer="Each query shares out over the keys, the last axis: `dim=-1`.",
)


@over_another_axis
def softmax_over_the_queries(x, w_q, w_k, w_v):
    scale = 1 / math.sqrt(w_k.shape[-1])
    return _attend(x @ w_q, x @ w_k, x @ w_v, scale, lambda s: torch.softmax(s, dim=-2))


@over_another_axis
def softmax_over_everything(x, w_q, w_k, w_v):
    scale = 1 / math.sqrt(w_k.shape[-1])
    return _attend(
        x @ w_q, x @ w_k, x @ w_v, scale, lambda s: torch.softmax(s.flatten(), 0).view_as(s)
    )


@over_another_axis
def softmax_over_axis_one(x, w_q, w_k, w_v):
    scale = 1 / math.sqrt(w_k.shape[-1])
    return _attend(x @ w_q, x @ w_k, x @ w_v, scale, lambda s: torch.softmax(s, dim=1))


@over_another_axis
def softmax_over_the_first_axis(x, w_q, w_k, w_v):
    scale = 1 / math.sqrt(w_k.shape[-1])
    return _attend(x @ w_q, x @ w_k, x @ w_v, scale, lambda s: torch.softmax(s, dim=0))


no_softmax = mistake(
    "attention",
    kind="no softmax, or two",
    symptom="Your weights are not in the ratios that the scores ask for. What does a score go "
    "through on its way to a weight, and how often?",
    answer="`torch.softmax(scores, dim=-1)`, once.",
)


@no_softmax
def scores_for_weights(x, w_q, w_k, w_v):
    return _attend(x @ w_q, x @ w_k, x @ w_v, 1 / math.sqrt(w_k.shape[-1]), lambda s: s)


@no_softmax
def scores_over_their_sum(x, w_q, w_k, w_v):
    scale = 1 / math.sqrt(w_k.shape[-1])
    return _attend(x @ w_q, x @ w_k, x @ w_v, scale, lambda s: s / s.sum(-1, keepdim=True))


@no_softmax
def softmax_twice(x, w_q, w_k, w_v):
    scale = 1 / math.sqrt(w_k.shape[-1])
    return _attend(x @ w_q, x @ w_k, x @ w_v, scale, lambda s: s.softmax(-1).softmax(-1))


@no_softmax
def sigmoids_for_weights(x, w_q, w_k, w_v):
    return _attend(x @ w_q, x @ w_k, x @ w_v, 1 / math.sqrt(w_k.shape[-1]), torch.sigmoid)


@no_softmax
def one_for_the_best_key(x, w_q, w_k, w_v):
    scale = 1 / math.sqrt(w_k.shape[-1])
    return _attend(
        x @ w_q,
        x @ w_k,
        x @ w_v,
        scale,
        lambda s: (s == s.amax(-1, keepdim=True)).to(s.dtype),
    )


roles_exchanged = mistake(
    "attention",
    kind="queries, keys and values exchanged",
    symptom="Something is compared or mixed that belongs elsewhere. Which of queries, keys and "
    "values are compared, who asks, and which are mixed?",
    answer="Scores are `q @ k.transpose(-2, -1)`, and the weights mix v.",
)


@roles_exchanged
def keys_ask_and_queries_answer(x, w_q, w_k, w_v):
    return self_attention(x, w_k, w_q, w_v)


@roles_exchanged
def queries_against_queries(x, w_q, w_k, w_v):
    return self_attention(x, w_q, w_q, w_v)


@roles_exchanged
def queries_against_values(x, w_q, w_k, w_v):
    return self_attention(x, w_q, w_v, w_v)


@roles_exchanged
def keys_are_mixed(x, w_q, w_k, w_v):
    return self_attention(x, w_q, w_k, w_k)


@roles_exchanged
def tokens_are_mixed(x, w_q, w_k, w_v):
    _, weights = self_attention(x, w_q, w_k, w_v)
    return weights @ x, weights


@roles_exchanged
def weights_turned_before_they_mix(x, w_q, w_k, w_v):
    _, weights = self_attention(x, w_q, w_k, w_v)
    return weights.transpose(-2, -1) @ (x @ w_v), weights


@mistake(
    "attention",
    kind="sees the past only",
    symptom="Your tokens do not look at all tokens of their sequence. What hides the others?",
    answer="There is no mask in this step: every query attends to every key.",
)
def no_token_sees_a_later_one(x, w_q, w_k, w_v):
    n = x.shape[-2]
    later = torch.ones(n, n, dtype=torch.bool, device=x.device).triu(1)
    return _attend(
        x @ w_q,
        x @ w_k,
        x @ w_v,
        1 / math.sqrt(w_k.shape[-1]),
        lambda s: torch.softmax(s.masked_fill(later, float("-inf")), dim=-1),
    )


no_batch = mistake(
    "attention",
    kind="axes counted from the front",
    symptom="One sequence is right, a batch is not, or the other way round. Which two axes change "
    "places, counted from where?",
    answer="Count from the end: `k.transpose(-2, -1)`; `.T` turns all axes, `transpose(0, 1)` two.",
)


def _with_keys(turned, x, w_q, w_k, w_v):
    scores = x @ w_q @ turned(x @ w_k) / math.sqrt(w_k.shape[-1])
    weights = torch.softmax(scores, dim=-1)
    return weights @ (x @ w_v), weights


@no_batch
def all_axes_of_the_keys_turned(x, w_q, w_k, w_v):
    return _with_keys(lambda k: k.permute(*reversed(range(k.dim()))), x, w_q, w_k, w_v)


@no_batch
def first_two_axes_exchanged(x, w_q, w_k, w_v):
    return _with_keys(lambda k: k.transpose(0, 1), x, w_q, w_k, w_v)


@no_batch
def second_and_third_axis_exchanged(x, w_q, w_k, w_v):
    return _with_keys(lambda k: k.transpose(1, 2), x, w_q, w_k, w_v)


@no_batch
def all_sequences_attend_to_each_other(x, w_q, w_k, w_v):
    output, weights = self_attention(x.reshape(-1, x.shape[-1]), w_q, w_k, w_v)
    return output.reshape(*x.shape[:-1], -1), weights


@mistake(
    "attention",
    kind="keys reshaped instead of transposed",
    symptom="Your scores do not belong to pairs of a query and a key. What does a reshape do to "
    "the order of numbers?",
    answer="Use `k.transpose(-2, -1)`; `view` and `reshape` keep the numbers in their order.",
)
def keys_reshaped_to_columns(x, w_q, w_k, w_v):
    return _with_keys(lambda k: k.reshape(*k.shape[:-2], k.shape[-1], -1), x, w_q, w_k, w_v)
