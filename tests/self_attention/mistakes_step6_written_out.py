"""Known wrong answers to step 6: written out instead of composed, more than attention, one sequence
only, and the care for numbers. What comes first is the more fundamental."""

import math

import numpy as np
from step1_projections import project_qkv
from step2_scores import attention_scores
from step3_scaling import scale_scores
from step4_softmax import softmax
from step5_output import attention_output

from autograder.grading import mistake

fed_on = mistake(
    "self_attention",
    kind="one projection fed into the next",
    symptom="Keys or values are made from something that was projected already. What do all three "
    "projections start from?",
    answer="All three start from the tokens: `x @ w_q`, `x @ w_k`, `x @ w_v`.",
)


@fed_on
def tokens_overwritten_by_their_queries(x, w_q, w_k, w_v):
    x = q = x @ w_q
    x = k = x @ w_k
    v = x @ w_v
    weights = softmax(q @ np.swapaxes(k, -1, -2) / math.sqrt(k.shape[-1]))
    return weights @ v, weights


@fed_on
def values_made_from_the_keys(x, w_q, w_k, w_v):
    q, k = x @ w_q, x @ w_k
    v = k @ w_v
    weights = softmax(q @ np.swapaxes(k, -1, -2) / math.sqrt(k.shape[-1]))
    return weights @ v, weights


keys_not_turned = mistake(
    "self_attention",
    kind="keys not transposed",
    symptom="Queries meet something else than whole keys in your product. What is a column of its "
    "right factor made of?",
    answer="A column has to be one key: swap the last two axes, `np.swapaxes(k, -1, -2)`.",
)


@keys_not_turned
def transposed_by_the_numbers_of_torch(x, w_q, w_k, w_v):
    q, k, v = x @ w_q, x @ w_k, x @ w_v
    weights = softmax(q @ k.transpose(-2, -1) / math.sqrt(k.shape[-1]))
    return weights @ v, weights


@keys_not_turned
def keys_reshaped(x, w_q, w_k, w_v):
    q, k, v = x @ w_q, x @ w_k, x @ w_v
    columns = k.reshape(*k.shape[:-2], k.shape[-1], k.shape[-2])
    weights = softmax(q @ columns / math.sqrt(k.shape[-1]))
    return weights @ v, weights


@mistake(
    "self_attention",
    kind="later tokens hidden",
    symptom="Each token looks at itself and the ones before it only. Which tokens does a token of "
    "this lesson look at?",
    answer="No mask here: every token attends to all tokens of its sequence.",
)
def only_earlier_tokens_seen(x, w_q, w_k, w_v):
    q, k, v = project_qkv(x, w_q, w_k, w_v)
    scores = scale_scores(attention_scores(q, k), k.shape[-1])
    later = np.triu(np.ones(scores.shape[-2:], dtype=bool), k=1)
    weights = softmax(np.where(later, -np.inf, scores))
    return attention_output(weights, v), weights


more_than_attention = mistake(
    "self_attention",
    kind="more than attention",
    symptom="Something is done to the tokens or to the output that this lesson does not do. What "
    "else than the weighted mean of the values is in your output?",
    answer="The output is `weights @ v` of the tokens as they come: nothing added or normalised.",
)


@more_than_attention
def tokens_added_to_the_output(x, w_q, w_k, w_v):
    q, k, v = project_qkv(x, w_q, w_k, w_v)
    weights = softmax(scale_scores(attention_scores(q, k), k.shape[-1]))
    return x + attention_output(weights, v), weights


@more_than_attention
def values_added_to_the_output(x, w_q, w_k, w_v):
    q, k, v = project_qkv(x, w_q, w_k, w_v)
    weights = softmax(scale_scores(attention_scores(q, k), k.shape[-1]))
    return v + attention_output(weights, v), weights


@more_than_attention
def tokens_normalised_before(x, w_q, w_k, w_v):
    x = (x - x.mean(axis=-1, keepdims=True)) / (x.std(axis=-1, keepdims=True) + 1e-5)
    q, k, v = project_qkv(x, w_q, w_k, w_v)
    weights = softmax(scale_scores(attention_scores(q, k), k.shape[-1]))
    return attention_output(weights, v), weights


@more_than_attention
def place_of_each_token_added(x, w_q, w_k, w_v):
    x = x + np.arange(x.shape[-2])[:, None]
    q, k, v = project_qkv(x, w_q, w_k, w_v)
    weights = softmax(scale_scores(attention_scores(q, k), k.shape[-1]))
    return attention_output(weights, v), weights


another_scale = mistake(
    "self_attention",
    kind="scaled too much or too little",
    symptom="Your weights are too even or too sharp for these scores. How often is a root taken, "
    "and how often is something divided by it?",
    answer="Divide once by the root of d_k: `scores / math.sqrt(k.shape[-1])`.",
)


@another_scale
def scores_multiplied_by_the_root(x, w_q, w_k, w_v):
    q, k, v = x @ w_q, x @ w_k, x @ w_v
    weights = softmax(q @ np.swapaxes(k, -1, -2) / k.shape[-1] ** -0.5)
    return weights @ v, weights


@another_scale
def root_cut_to_a_whole_number(x, w_q, w_k, w_v):
    q, k, v = x @ w_q, x @ w_k, x @ w_v
    weights = softmax(q @ np.swapaxes(k, -1, -2) / int(math.sqrt(k.shape[-1])))
    return weights @ v, weights


@mistake(
    "self_attention",
    kind="softmax over the wrong axis",
    symptom="The rows of your weights do not sum to one: they are shared out along another axis. "
    "Who shares out a unit of weight, and over what?",
    answer="Each query shares out over the keys, the last axis: `axis=-1, keepdims=True`.",
)
def softmax_at_once_over_the_first_axis(x, w_q, w_k, w_v):
    q, k, v = x @ w_q, x @ w_k, x @ w_v
    scores = q @ np.swapaxes(k, -1, -2) / math.sqrt(k.shape[-1])
    powers = np.exp(scores - scores.max(axis=0))
    weights = powers / powers.sum(axis=0)
    return weights @ v, weights


@mistake(
    "self_attention",
    kind="axis lost in a sum or a maximum",
    symptom="What a sum or a maximum leaves of each row no longer lines up with the rows. Which "
    "shape does it have, and along which axis is it spread out?",
    answer="Keep the axis, so that it broadcasts along the row: `keepdims=True`.",
)
def softmax_at_once_without_keepdims(x, w_q, w_k, w_v):
    q, k, v = x @ w_q, x @ w_k, x @ w_v
    scores = q @ np.swapaxes(k, -1, -2) / math.sqrt(k.shape[-1])
    powers = np.exp(scores - scores.max(axis=-1, keepdims=True))
    weights = powers / powers.sum(axis=-1)
    return weights @ v, weights


not_each_sequence = mistake(
    "self_attention",
    kind="one sequence taken for the rule",
    symptom="One sequence and a batch of them are not treated alike. What does each line do with "
    "axes that stand before tokens and features?",
    answer="Swap the last two axes only, `np.swapaxes(k, -1, -2)`, and multiply with `@`.",
)


@not_each_sequence
def all_axes_of_the_keys_turned(x, w_q, w_k, w_v):
    q, k, v = x @ w_q, x @ w_k, x @ w_v
    weights = softmax(q @ k.T / math.sqrt(k.shape[-1]))
    return weights @ v, weights


@not_each_sequence
def last_axes_of_a_single_batch_turned(x, w_q, w_k, w_v):
    q, k, v = x @ w_q, x @ w_k, x @ w_v
    weights = softmax(q @ k.transpose(0, 2, 1) / math.sqrt(k.shape[-1]))
    return weights @ v, weights


@not_each_sequence
def weights_dotted_with_every_sequence(x, w_q, w_k, w_v):
    q, k, v = project_qkv(x, w_q, w_k, w_v)
    weights = softmax(scale_scores(attention_scores(q, k), k.shape[-1]))
    return np.dot(weights, v), weights


@not_each_sequence
def all_sequences_joined_to_one(x, w_q, w_k, w_v):
    q, k, v = project_qkv(x.reshape(-1, x.shape[-1]), w_q, w_k, w_v)
    weights = softmax(scale_scores(attention_scores(q, k), k.shape[-1]))
    return attention_output(weights, v).reshape(*x.shape[:-1], -1), weights


@mistake(
    "self_attention",
    kind="axes go missing",
    symptom="Some axes that should be in your results are not there. Which line takes them away?",
    answer="An axis stays even where its size is 1: no `squeeze`.",
)
def results_squeezed(x, w_q, w_k, w_v):
    q, k, v = project_qkv(x, w_q, w_k, w_v)
    weights = softmax(scale_scores(attention_scores(q, k), k.shape[-1]))
    return np.squeeze(attention_output(weights, v)), np.squeeze(weights)


no_care = mistake(
    "self_attention",
    kind="softmax without the row's maximum",
    symptom="Moderate scores come out right; large ones do not. Which of your steps has taken care "
    "of exponentials that are too large or all vanish, and is it used here?",
    answer="Use your step 4, or subtract each row's maximum before exp.",
)


@no_care
def formula_at_once(x, w_q, w_k, w_v):
    q, k, v = x @ w_q, x @ w_k, x @ w_v
    powers = np.exp(q @ np.swapaxes(k, -1, -2) / math.sqrt(k.shape[-1]))
    weights = powers / powers.sum(axis=-1, keepdims=True)
    return weights @ v, weights


@no_care
def maximum_of_all_scores(x, w_q, w_k, w_v):
    q, k, v = x @ w_q, x @ w_k, x @ w_v
    scores = q @ np.swapaxes(k, -1, -2) / math.sqrt(k.shape[-1])
    powers = np.exp(scores - scores.max())
    weights = powers / powers.sum(axis=-1, keepdims=True)
    return weights @ v, weights


@mistake(
    "self_attention",
    kind="fractions kept in an array of whole numbers",
    symptom="Whole tokens do not get fractions. In what kind of array do scores, weights or output "
    "end up?",
    answer="Make floating-point arrays: `np.zeros(shape)`, not one like the tokens.",
)
def output_stored_like_the_tokens(x, w_q, w_k, w_v):
    q, k, v = project_qkv(x, w_q, w_k, w_v)
    weights = softmax(scale_scores(attention_scores(q, k), k.shape[-1]))
    output = np.zeros(v.shape, dtype=x.dtype)
    output[...] = attention_output(weights, v)
    return output, weights


digits_lost = mistake(
    "self_attention",
    kind="digits of the results lost",
    symptom="Your results hold fewer digits than the tokens that came in. Which line drops them?",
    answer="Do not round, and do not convert to a narrower dtype.",
)


@digits_lost
def results_rounded(x, w_q, w_k, w_v):
    q, k, v = project_qkv(x, w_q, w_k, w_v)
    weights = softmax(scale_scores(attention_scores(q, k), k.shape[-1]))
    return np.round(attention_output(weights, v), 4), np.round(weights, 4)


@digits_lost
def everything_in_single_precision(x, w_q, w_k, w_v):
    q, k, v = project_qkv(*(np.asarray(a, dtype=np.float32) for a in (x, w_q, w_k, w_v)))
    weights = softmax(scale_scores(attention_scores(q, k), np.float32(k.shape[-1])))
    return attention_output(weights, v).astype(np.float32), weights.astype(np.float32)


@mistake(
    "self_attention",
    kind="arguments overwritten",
    symptom="Whoever called your function finds other numbers in an argument afterwards. Which "
    "line writes into it?",
    answer="Make a new array: `q = x @ w_q / root`, no `/=` or `-=` on an argument.",
)
def query_weights_scaled_in_place(x, w_q, w_k, w_v):
    w_q /= math.sqrt(w_k.shape[-1])
    q, k, v = project_qkv(x, w_q, w_k, w_v)
    weights = softmax(attention_scores(q, k))
    return attention_output(weights, v), weights
