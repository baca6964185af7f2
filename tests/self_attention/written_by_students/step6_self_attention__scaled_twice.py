# The cause: the queries are scaled, and then the scores again: 1/d_k in all.
import math

import numpy as np
from step1_projections import project_qkv
from step2_scores import attention_scores
from step3_scaling import scale_scores
from step4_softmax import softmax
from step5_output import attention_output


def self_attention(x, w_q, w_k, w_v):
    q, k, v = project_qkv(x, w_q, w_k, w_v)
    d_k = k.shape[-1]
    q = q / math.sqrt(d_k)  # scaling like in the paper
    scores = scale_scores(attention_scores(q, k), d_k)
    weights = softmax(scores)
    output = attention_output(weights, v)
    return output, weights
