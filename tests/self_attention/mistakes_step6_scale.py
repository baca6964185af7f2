"""Known wrong answers to step 6, composed of the steps before it: transposes, softmax and scale.
What comes first is the more fundamental."""

import math

import numpy as np
from step1_projections import project_qkv
from step2_scores import attention_scores
from step3_scaling import scale_scores
from step4_softmax import softmax
from step5_output import attention_output

from autograder.grading import mistake

turned = mistake(
    "self_attention",
    kind="weights transposed",
    symptom="Somewhere a query's weights run down a column. Which axis of the weights belongs to "
    "the queries, and what is turned?",
    answer="Row = query throughout: use and return the weights as step 4 makes them.",
)


@turned
def columns_mix_the_values(x, w_q, w_k, w_v):
    q, k, v = project_qkv(x, w_q, w_k, w_v)
    weights = softmax(scale_scores(attention_scores(q, k), k.shape[-1]))
    return attention_output(np.swapaxes(weights, -1, -2), v), weights


@turned
def weights_returned_transposed(x, w_q, w_k, w_v):
    q, k, v = project_qkv(x, w_q, w_k, w_v)
    weights = softmax(scale_scores(attention_scores(q, k), k.shape[-1]))
    return attention_output(weights, v), np.swapaxes(weights, -1, -2)


@turned
def weights_and_values_exchanged(x, w_q, w_k, w_v):
    q, k, v = project_qkv(x, w_q, w_k, w_v)
    weights = softmax(scale_scores(attention_scores(q, k), k.shape[-1]))
    return attention_output(np.swapaxes(v, -1, -2), weights), weights


no_softmax = mistake(
    "self_attention",
    kind="softmax left out, or thrown away",
    symptom="What mixes the values, or what you return with them, does not sum to one for a "
    "query. Where does the result of step 4 go?",
    answer="Keep what softmax returns, `weights = softmax(scaled)`, use and return it.",
)


@no_softmax
def scores_used_as_weights(x, w_q, w_k, w_v):
    q, k, v = project_qkv(x, w_q, w_k, w_v)
    weights = scale_scores(attention_scores(q, k), k.shape[-1])
    softmax(weights)
    return attention_output(weights, v), weights


@no_softmax
def scores_mix_the_values(x, w_q, w_k, w_v):
    q, k, v = project_qkv(x, w_q, w_k, w_v)
    scores = scale_scores(attention_scores(q, k), k.shape[-1])
    return attention_output(scores, v), softmax(scores)


@no_softmax
def scaled_scores_returned(x, w_q, w_k, w_v):
    q, k, v = project_qkv(x, w_q, w_k, w_v)
    scores = scale_scores(attention_scores(q, k), k.shape[-1])
    return attention_output(softmax(scores), v), scores


@no_softmax
def raw_scores_returned(x, w_q, w_k, w_v):
    q, k, v = project_qkv(x, w_q, w_k, w_v)
    scores = attention_scores(q, k)
    weights = softmax(scale_scores(scores, k.shape[-1]))
    return attention_output(weights, v), scores


@mistake(
    "self_attention",
    kind="softmax applied to the output",
    symptom="Every output is positive and sums to one, whatever the values are. What is shared out "
    "by a softmax: weight among keys, or the features of an output?",
    answer="Apply softmax to the scaled scores only; the output is `attention_output(weights, v)`.",
)
def softmax_of_the_output(x, w_q, w_k, w_v):
    q, k, v = project_qkv(x, w_q, w_k, w_v)
    weights = softmax(scale_scores(attention_scores(q, k), k.shape[-1]))
    return softmax(attention_output(weights, v)), weights


@mistake(
    "self_attention",
    kind="softmax applied twice",
    symptom="Your weights are far more even than the scores ask for. How often do they go through "
    "step 4?",
    answer="Apply softmax once, to the scaled scores.",
)
def weights_through_softmax_again(x, w_q, w_k, w_v):
    q, k, v = project_qkv(x, w_q, w_k, w_v)
    weights = softmax(softmax(scale_scores(attention_scores(q, k), k.shape[-1])))
    return attention_output(weights, v), weights


@mistake(
    "self_attention",
    kind="softmax over the wrong axis",
    symptom="The columns of your weights sum to one, the rows do not. Who shares out a unit of "
    "weight, and over what?",
    answer="Each query shares out over the keys: softmax on the scores as they are, over rows.",
)
def softmax_of_the_columns(x, w_q, w_k, w_v):
    q, k, v = project_qkv(x, w_q, w_k, w_v)
    scores = scale_scores(attention_scores(q, k), k.shape[-1])
    weights = np.swapaxes(softmax(np.swapaxes(scores, -1, -2)), -1, -2)
    return attention_output(weights, v), weights


too_late = mistake(
    "self_attention",
    kind="scaled after the softmax",
    symptom="The scale comes too late: weights or outputs are smaller than they should be. What "
    "has to happen before the exponentials?",
    answer="Scale first: `softmax(scale_scores(scores, d_k))`; nothing is divided after that.",
)


@too_late
def weights_scaled(x, w_q, w_k, w_v):
    q, k, v = project_qkv(x, w_q, w_k, w_v)
    weights = scale_scores(softmax(attention_scores(q, k)), k.shape[-1])
    return attention_output(weights, v), weights


@too_late
def output_scaled(x, w_q, w_k, w_v):
    q, k, v = project_qkv(x, w_q, w_k, w_v)
    weights = softmax(attention_scores(q, k))
    return scale_scores(attention_output(weights, v), k.shape[-1]), weights


not_scaled = mistake(
    "self_attention",
    kind="not scaled",
    symptom="Your weights are sharper than they should be: the best match gets too much. What "
    "happens to the scores between steps 2 and 4?",
    answer="Use what step 3 returns: `softmax(scale_scores(scores, k.shape[-1]))`.",
)


@not_scaled
def step_three_left_out(x, w_q, w_k, w_v):
    q, k, v = project_qkv(x, w_q, w_k, w_v)
    weights = softmax(attention_scores(q, k))
    return attention_output(weights, v), weights


@not_scaled
def step_three_thrown_away(x, w_q, w_k, w_v):
    q, k, v = project_qkv(x, w_q, w_k, w_v)
    scores = attention_scores(q, k)
    scale_scores(scores, k.shape[-1])
    weights = softmax(scores)
    return attention_output(weights, v), weights


another_root = mistake(
    "self_attention",
    kind="scaled too much or too little",
    symptom="Your weights are too even or too sharp for these scores. How often is a root taken, "
    "and how often is something divided by it?",
    answer="Divide once by the root of d_k: `scale_scores(scores, k.shape[-1])`, nothing else.",
)


@another_root
def scores_scaled_twice(x, w_q, w_k, w_v):
    q, k, v = project_qkv(x, w_q, w_k, w_v)
    scores = scale_scores(attention_scores(q, k), k.shape[-1])
    weights = softmax(scale_scores(scores, k.shape[-1]))
    return attention_output(weights, v), weights


@another_root
def queries_keys_and_scores_scaled(x, w_q, w_k, w_v):
    q, k, v = project_qkv(x, w_q, w_k, w_v)
    q, k = scale_scores(q, k.shape[-1]), scale_scores(k, k.shape[-1])
    weights = softmax(scale_scores(attention_scores(q, k), k.shape[-1]))
    return attention_output(weights, v), weights


@another_root
def root_given_in_place_of_the_width(x, w_q, w_k, w_v):
    q, k, v = project_qkv(x, w_q, w_k, w_v)
    weights = softmax(scale_scores(attention_scores(q, k), math.sqrt(k.shape[-1])))
    return attention_output(weights, v), weights


another_width = mistake(
    "self_attention",
    kind="another width than the keys'",
    symptom="Right for some sizes, and with others your weights are too sharp or too even. Whose "
    "width, and along which axis, do you give to step 3?",
    answer="It is the width of one key, the last axis: `k.shape[-1]`.",
)


@another_width
def width_of_the_tokens(x, w_q, w_k, w_v):
    q, k, v = project_qkv(x, w_q, w_k, w_v)
    weights = softmax(scale_scores(attention_scores(q, k), x.shape[-1]))
    return attention_output(weights, v), weights


@another_width
def width_of_the_values(x, w_q, w_k, w_v):
    q, k, v = project_qkv(x, w_q, w_k, w_v)
    weights = softmax(scale_scores(attention_scores(q, k), v.shape[-1]))
    return attention_output(weights, v), weights


@another_width
def number_of_the_keys(x, w_q, w_k, w_v):
    q, k, v = project_qkv(x, w_q, w_k, w_v)
    weights = softmax(scale_scores(attention_scores(q, k), k.shape[-2]))
    return attention_output(weights, v), weights


@another_width
def size_of_the_first_axis(x, w_q, w_k, w_v):
    q, k, v = project_qkv(x, w_q, w_k, w_v)
    weights = softmax(scale_scores(attention_scores(q, k), len(k)))
    return attention_output(weights, v), weights


@another_width
def size_of_the_second_axis(x, w_q, w_k, w_v):
    q, k, v = project_qkv(x, w_q, w_k, w_v)
    weights = softmax(scale_scores(attention_scores(q, k), k.shape[1]))
    return attention_output(weights, v), weights


@another_width
def size_of_all_keys_together(x, w_q, w_k, w_v):
    q, k, v = project_qkv(x, w_q, w_k, w_v)
    weights = softmax(scale_scores(attention_scores(q, k), k.size))
    return attention_output(weights, v), weights


@another_width
def width_of_the_example(x, w_q, w_k, w_v):
    q, k, v = project_qkv(x, w_q, w_k, w_v)
    weights = softmax(scale_scores(attention_scores(q, k), 4))
    return attention_output(weights, v), weights


@another_width
def width_of_the_paper(x, w_q, w_k, w_v):
    q, k, v = project_qkv(x, w_q, w_k, w_v)
    weights = softmax(scale_scores(attention_scores(q, k), 64))
    return attention_output(weights, v), weights
