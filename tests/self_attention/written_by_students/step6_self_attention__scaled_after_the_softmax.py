# The cause: the weights are scaled and not the scores; rows sum to 1/sqrt(d_k).
import numpy as np
from step1_projections import project_qkv
from step2_scores import attention_scores
from step3_scaling import scale_scores
from step4_softmax import softmax
from step5_output import attention_output


def self_attention(x, w_q, w_k, w_v):
    q, k, v = project_qkv(x, w_q, w_k, w_v)
    scores = attention_scores(q, k)
    weights = softmax(scores)
    weights = scale_scores(weights, q.shape[-1])
    output = attention_output(weights, v)
    return output, weights
