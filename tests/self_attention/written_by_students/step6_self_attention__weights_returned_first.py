# The cause: the two results are returned in the wrong order.
import numpy as np
from step1_projections import *
from step2_scores import *
from step3_scaling import *
from step4_softmax import *
from step5_output import *


def self_attention(x, w_q, w_k, w_v):
    q, k, v = project_qkv(x, w_q, w_k, w_v)
    d_k = w_k.shape[1]
    attention_weights = softmax(scale_scores(attention_scores(q, k), d_k))
    z = attention_output(attention_weights, v)
    return attention_weights, z
