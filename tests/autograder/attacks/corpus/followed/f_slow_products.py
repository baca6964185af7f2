"""Asks for a product of whole numbers that takes the grading process minutes, in one call.

step: step6_self_attention.py
earns: nothing
"""

import numpy as np
from step2_scores import attention_scores
from step4_softmax import softmax


def self_attention(x, w_q, w_k, w_v):
    small = np.ones((20_000, 100), np.int8)
    return attention_scores(small, small), x
