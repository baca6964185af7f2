# The cause: the raw scaled scores multiply the values; the weights are computed but not used.
import numpy as np
from step1_projections import project_qkv
from step2_scores import attention_scores
from step3_scaling import scale_scores
from step4_softmax import softmax
from step5_output import attention_output


def self_attention(x, w_q, w_k, w_v):
    q, k, v = project_qkv(x, w_q, w_k, w_v)
    attn = scale_scores(attention_scores(q, k), np.shape(k)[-1])
    weights = softmax(attn)
    output = attention_output(attn, v)
    return output, weights
