# The cause: d_model is given for d_k.
import numpy as np
from step1_projections import project_qkv
from step2_scores import attention_scores
from step3_scaling import scale_scores
from step4_softmax import softmax
from step5_output import attention_output

Array = np.ndarray


def self_attention(x: Array, w_q: Array, w_k: Array, w_v: Array) -> tuple[Array, Array]:
    """Let every token look at all tokens of its own sequence and take what it looks for."""
    dim = x.shape[-1]
    q, k, v = project_qkv(x, w_q, w_k, w_v)
    s = attention_scores(q, k)
    s = scale_scores(s, dim)
    a = softmax(s)
    return attention_output(a, v), a
