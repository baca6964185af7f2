# The cause: the weights mix the tokens x themselves, and not their values.
import numpy as np
from step1_projections import project_qkv
from step2_scores import attention_scores
from step3_scaling import scale_scores
from step4_softmax import softmax
from step5_output import attention_output


def self_attention(x, w_q, w_k, w_v):
    q, k, v = project_qkv(x, w_q, w_k, w_v)
    weights = softmax(scale_scores(attention_scores(q, k), k.shape[-1]))
    context = attention_output(weights, x)
    print(context.shape, weights.shape)
    return context, weights
