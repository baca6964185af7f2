"""Known wrong answers to step 6, composed of the steps before it: what is returned, and what is
given to which step. What comes first is the more fundamental; mistakes_step6_scale.py and
mistakes_step6_written_out.py go on."""

import numpy as np
from step1_projections import project_qkv
from step2_scores import attention_scores
from step3_scaling import scale_scores
from step4_softmax import softmax
from step5_output import attention_output

from autograder.grading import mistake


@mistake(
    "self_attention",
    kind="returns nothing",
    symptom="Your function works something out and hands nothing back. What does its caller get?",
    answer="End with `return attention_output(weights, v), weights`.",
)
def output_and_weights_not_returned(x, w_q, w_k, w_v):
    q, k, v = project_qkv(x, w_q, w_k, w_v)
    weights = softmax(scale_scores(attention_scores(q, k), k.shape[-1]))
    attention_output(weights, v)


two_results = mistake(
    "self_attention",
    kind="output and weights not returned as two results",
    symptom="You do not return two results. Which two does your caller ask for, and what does your "
    "last line put together?",
    answer="Return both, the output first: `return attention_output(weights, v), weights`.",
)


@two_results
def only_the_output(x, w_q, w_k, w_v):
    q, k, v = project_qkv(x, w_q, w_k, w_v)
    weights = softmax(scale_scores(attention_scores(q, k), k.shape[-1]))
    return attention_output(weights, v)


@two_results
def only_the_weights(x, w_q, w_k, w_v):
    q, k, _ = project_qkv(x, w_q, w_k, w_v)
    return softmax(scale_scores(attention_scores(q, k), k.shape[-1]))


@two_results
def scores_as_a_third_result(x, w_q, w_k, w_v):
    q, k, v = project_qkv(x, w_q, w_k, w_v)
    scores = scale_scores(attention_scores(q, k), k.shape[-1])
    weights = softmax(scores)
    return attention_output(weights, v), weights, scores


@two_results
def output_and_weights_in_a_dictionary(x, w_q, w_k, w_v):
    q, k, v = project_qkv(x, w_q, w_k, w_v)
    weights = softmax(scale_scores(attention_scores(q, k), k.shape[-1]))
    return {"output": attention_output(weights, v), "weights": weights}


@two_results
def output_and_weights_side_by_side(x, w_q, w_k, w_v):
    q, k, v = project_qkv(x, w_q, w_k, w_v)
    weights = softmax(scale_scores(attention_scores(q, k), k.shape[-1]))
    return np.concatenate([attention_output(weights, v), weights], axis=-1)


@mistake(
    "self_attention",
    kind="results in the wrong order",
    symptom="What comes first should come second. In which order does your caller expect output "
    "and weights?",
    answer="Output first, then the weights: `return output, weights`.",
)
def weights_before_the_output(x, w_q, w_k, w_v):
    q, k, v = project_qkv(x, w_q, w_k, w_v)
    weights = softmax(scale_scores(attention_scores(q, k), k.shape[-1]))
    return weights, attention_output(weights, v)


projections_exchanged = mistake(
    "self_attention",
    kind="keys and values exchanged",
    symptom="Your queries are compared with what the tokens pass on, or keys are mixed. In which "
    "order do queries, keys and values come out of step 1?",
    answer="Step 1 takes w_q, w_k, w_v and returns in this order: `q, k, v = project_qkv(...)`.",
)


@projections_exchanged
def keys_and_values_unpacked_the_other_way(x, w_q, w_k, w_v):
    q, v, k = project_qkv(x, w_q, w_k, w_v)
    weights = softmax(scale_scores(attention_scores(q, k), k.shape[-1]))
    return attention_output(weights, v), weights


@projections_exchanged
def queries_compared_with_values(x, w_q, w_k, w_v):
    q, k, v = project_qkv(x, w_q, w_k, w_v)
    weights = softmax(scale_scores(attention_scores(q, v), k.shape[-1]))
    return attention_output(weights, v), weights


@projections_exchanged
def values_unpacked_first(x, w_q, w_k, w_v):
    v, k, q = project_qkv(x, w_q, w_k, w_v)
    weights = softmax(scale_scores(attention_scores(q, k), k.shape[-1]))
    return attention_output(weights, v), weights


@projections_exchanged
def keys_unpacked_last(x, w_q, w_k, w_v):
    v, q, k = project_qkv(x, w_q, w_k, w_v)
    weights = softmax(scale_scores(attention_scores(q, k), k.shape[-1]))
    return attention_output(weights, v), weights


keys_ask = mistake(
    "self_attention",
    kind="queries and keys exchanged",
    symptom="Each token's weights follow what the others look for, not what it looks for itself. "
    "Who asks in your scores, and who answers?",
    answer="Queries come first, wherever both stand: `attention_scores(q, k)`.",
)


@keys_ask
def scores_of_keys_against_queries(x, w_q, w_k, w_v):
    q, k, v = project_qkv(x, w_q, w_k, w_v)
    weights = softmax(scale_scores(attention_scores(k, q), k.shape[-1]))
    return attention_output(weights, v), weights


one_role_missing = mistake(
    "self_attention",
    kind="queries or keys not used",
    symptom="One of the three weight matrices has no effect on your weights that it should have. "
    "What is compared with what?",
    answer="Compare queries with keys: `attention_scores(q, k)`, with q and k from step 1.",
)


@one_role_missing
def queries_against_queries(x, w_q, w_k, w_v):
    q, k, v = project_qkv(x, w_q, w_k, w_v)
    weights = softmax(scale_scores(attention_scores(q, q), k.shape[-1]))
    return attention_output(weights, v), weights


@one_role_missing
def keys_against_keys(x, w_q, w_k, w_v):
    _, k, v = project_qkv(x, w_q, w_k, w_v)
    weights = softmax(scale_scores(attention_scores(k, k), k.shape[-1]))
    return attention_output(weights, v), weights


@one_role_missing
def tokens_against_tokens(x, w_q, w_k, w_v):
    _, k, v = project_qkv(x, w_q, w_k, w_v)
    weights = softmax(scale_scores(attention_scores(x, x), k.shape[-1]))
    return attention_output(weights, v), weights


@one_role_missing
def queries_against_tokens(x, w_q, w_k, w_v):
    q, k, v = project_qkv(x, w_q, w_k, w_v)
    weights = softmax(scale_scores(attention_scores(q, x), k.shape[-1]))
    return attention_output(weights, v), weights


@one_role_missing
def the_same_weight_for_all_keys(x, w_q, w_k, w_v):
    _, _, v = project_qkv(x, w_q, w_k, w_v)
    n = x.shape[-2]
    weights = np.full((*x.shape[:-1], n), 1 / n)
    return attention_output(weights, v), weights


something_else_mixed = mistake(
    "self_attention",
    kind="something else than the values mixed",
    symptom="Your weights are right, but what they mix is not what the tokens pass on. What does a "
    "query take home from a key that matches?",
    answer="Mix the values: `attention_output(weights, v)`.",
)


@something_else_mixed
def keys_mixed(x, w_q, w_k, w_v):
    q, k, _ = project_qkv(x, w_q, w_k, w_v)
    weights = softmax(scale_scores(attention_scores(q, k), k.shape[-1]))
    return attention_output(weights, k), weights


@something_else_mixed
def queries_mixed(x, w_q, w_k, w_v):
    q, k, _ = project_qkv(x, w_q, w_k, w_v)
    weights = softmax(scale_scores(attention_scores(q, k), k.shape[-1]))
    return attention_output(weights, q), weights


@something_else_mixed
def tokens_mixed(x, w_q, w_k, w_v):
    q, k, _ = project_qkv(x, w_q, w_k, w_v)
    weights = softmax(scale_scores(attention_scores(q, k), k.shape[-1]))
    return attention_output(weights, x), weights


@something_else_mixed
def values_not_mixed(x, w_q, w_k, w_v):
    q, k, v = project_qkv(x, w_q, w_k, w_v)
    weights = softmax(scale_scores(attention_scores(q, k), k.shape[-1]))
    return v, weights
