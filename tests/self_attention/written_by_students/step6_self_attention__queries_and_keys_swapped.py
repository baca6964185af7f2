# The cause: queries and keys are given to step 2 the wrong way round: rows are keys.
import numpy as np
from step1_projections import project_qkv
from step2_scores import attention_scores
from step3_scaling import scale_scores
from step4_softmax import softmax
from step5_output import attention_output


def self_attention(x, w_q, w_k, w_v):
    [q, k, v] = project_qkv(x, w_q, w_k, w_v)
    raw = attention_scores(k, q)
    return (
        attention_output(softmax(scale_scores(raw, q.shape[-1])), v),
        softmax(scale_scores(raw, q.shape[-1])),
    )
