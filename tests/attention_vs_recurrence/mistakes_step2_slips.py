"""More known wrong answers to step 2: slips of a single line, as they stand in much public code."""

import math

import torch

from autograder.grading import mistake


def _scores(x, w_q, w_k):
    return x @ w_q @ (x @ w_k).transpose(-2, -1) / math.sqrt(w_k.shape[-1])


on_the_wrong_side = mistake(
    "attention",
    kind="weights transposed or multiplied entry by entry",
    symptom="Tokens do not meet their weights as rows meet a matrix. A token is a row of x: which "
    "axis of the weights has to be as long as it?",
    answer="`x @ w_q`, with nothing transposed; `*` multiplies entry by entry.",
)


@on_the_wrong_side
def projection_weights_transposed(x, w_q, w_k, w_v):
    weights = torch.softmax(_scores(x, w_q.T, w_k.T), dim=-1)
    return weights @ (x @ w_v.T), weights


@on_the_wrong_side
def weights_times_tokens(x, w_q, w_k, w_v):
    q, k, v = w_q @ x, w_k @ x, w_v @ x
    weights = torch.softmax(q @ k.transpose(-2, -1) / math.sqrt(k.shape[-1]), dim=-1)
    return weights @ v, weights


@on_the_wrong_side
def weights_times_tokens_entry_by_entry(x, w_q, w_k, w_v):
    q, k, v = x * w_q, x * w_k, x * w_v
    weights = torch.softmax(q @ k.transpose(-2, -1) / math.sqrt(k.shape[-1]), dim=-1)
    return weights @ v, weights


@mistake(
    "attention",
    kind="a bias in the projections",
    symptom="Something is added to your projections besides the product. What does a token of "
    "zeros project to?",
    answer="Attention's projections have no biases: `x @ w_q`, or nn.Linear with bias=False.",
)
def a_bias_of_ones(x, w_q, w_k, w_v):
    q, k, v = x @ w_q + 1, x @ w_k + 1, x @ w_v + 1
    weights = torch.softmax(q @ k.transpose(-2, -1) / math.sqrt(k.shape[-1]), dim=-1)
    return weights @ v, weights


@mistake(
    "attention",
    kind="keys and values unpacked in the wrong order",
    symptom="Your scores compare queries with values, and your output mixes keys. In which order "
    "are the three unpacked?",
    answer="Queries, keys, values: `q, k, v = x @ w_q, x @ w_k, x @ w_v`.",
)
def keys_and_values_exchanged(x, w_q, w_k, w_v):
    weights = torch.softmax(_scores(x, w_q, w_v), dim=-1)
    return weights @ (x @ w_k), weights


@mistake(
    "attention",
    kind="keys not transposed",
    symptom="Your queries are multiplied by keys as they stand. Which axis of the keys should each "
    "query meet?",
    answer="Each query meets each key along d_k: `q @ k.transpose(-2, -1)`.",
)
def keys_as_they_stand(x, w_q, w_k, w_v):
    scores = x @ w_q @ (x @ w_k) / math.sqrt(w_k.shape[-1])
    weights = torch.softmax(scores, dim=-1)
    return weights @ (x @ w_v), weights


@mistake(
    "attention",
    kind="torch's root of a whole number",
    symptom="Your code fails at the root. What does torch.sqrt take, and what is a size?",
    answer="A size is a number of Python's: `math.sqrt(k.shape[-1])`, or `k.shape[-1] ** 0.5`.",
)
def torchs_root_of_a_size(x, w_q, w_k, w_v):
    scores = x @ w_q @ (x @ w_k).transpose(-2, -1) / torch.sqrt(w_k.shape[-1])
    weights = torch.softmax(scores, dim=-1)
    return weights @ (x @ w_v), weights


upside_down = mistake(
    "attention",
    kind="sign flipped",
    symptom="The worst match gets the most weight. What becomes of a weight as its score grows?",
    answer="`torch.softmax(scores, dim=-1)`, of the scores and not of their negatives.",
)


@upside_down
def softmax_of_negative_scores(x, w_q, w_k, w_v):
    weights = torch.softmax(-_scores(x, w_q, w_k), dim=-1)
    return weights @ (x @ w_v), weights


@upside_down
def maximum_minus_the_scores(x, w_q, w_k, w_v):
    scores = _scores(x, w_q, w_k)
    powers = torch.exp(scores.amax(dim=-1, keepdim=True) - scores)
    weights = powers / powers.sum(dim=-1, keepdim=True)
    return weights @ (x @ w_v), weights


axis_lost = mistake(
    "attention",
    kind="axis lost in a sum or a maximum",
    symptom="What a sum or a maximum leaves of each row no longer lines up with the rows. Which "
    "shape does it have, and along which axis is it spread out?",
    answer="Keep the axis: `keepdim=True`; or leave both to `torch.softmax(scores, dim=-1)`.",
)


@axis_lost
def axis_lost_in_the_sum(x, w_q, w_k, w_v):
    scores = _scores(x, w_q, w_k)
    powers = torch.exp(scores - scores.amax(dim=-1, keepdim=True))
    weights = powers / powers.sum(dim=-1)
    return weights @ (x @ w_v), weights


@axis_lost
def axis_lost_in_the_maximum(x, w_q, w_k, w_v):
    scores = _scores(x, w_q, w_k)
    powers = torch.exp(scores - scores.amax(dim=-1))
    weights = powers / powers.sum(dim=-1, keepdim=True)
    return weights @ (x @ w_v), weights


@mistake(
    "attention",
    kind="softmax along an axis that depends on the batch",
    symptom="One sequence is right, a batch is not: the axis of your softmax depends on "
    "how many axes there are. Did you say which?",
    answer="Say it, from the end: `torch.softmax(scores, dim=-1)`.",
)
def axis_left_to_torch(x, w_q, w_k, w_v):
    scores = _scores(x, w_q, w_k)
    implicit = 0 if scores.dim() in (0, 1, 3) else 1  # what nn.Softmax() without dim takes
    weights = torch.softmax(scores, dim=implicit)
    return weights @ (x @ w_v), weights


@mistake(
    "attention",
    kind="weights thrown away",
    symptom="Your weights are right, but the output is mixed by something else. What multiplies "
    "the values?",
    answer="The weights mix the values, not the scores: `weights @ v`.",
)
def values_mixed_by_the_scores(x, w_q, w_k, w_v):
    scores = _scores(x, w_q, w_k)
    return scores @ (x @ w_v), torch.softmax(scores, dim=-1)


@mistake(
    "attention",
    kind="values not mixed",
    symptom="Your output is what each token has by itself. Where do the weights come in?",
    answer="Each query mixes all values: `weights @ v`.",
)
def values_as_they_are(x, w_q, w_k, w_v):
    return x @ w_v, torch.softmax(_scores(x, w_q, w_k), dim=-1)
