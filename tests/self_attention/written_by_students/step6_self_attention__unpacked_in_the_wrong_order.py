# The cause: q, k, v are unpacked as q, v, k: scores with the values, output of the keys.
import numpy as np
from step1_projections import project_qkv
from step2_scores import attention_scores
from step3_scaling import scale_scores
from step4_softmax import softmax
from step5_output import attention_output


def self_attention(x, w_q, w_k, w_v):
    query, value, key = project_qkv(x, w_q, w_k, w_v)
    scores = attention_scores(query, key)
    scores = scale_scores(scores, key.shape[-1])
    weights = softmax(scores)
    return attention_output(weights, value), weights
