"""Asks the served functions for ever, as fast as they answer, and never answers itself.

step: step6_self_attention.py
earns: nothing
"""

import numpy as np
from step1_projections import project_qkv
from step3_scaling import scale_scores
from step4_softmax import softmax

HALF_A_MILLION = np.ones((1000, 500))


def self_attention(x, w_q, w_k, w_v):
    while True:
        softmax(HALF_A_MILLION)
        scale_scores(1.0, 4)
        project_qkv(x, w_q, w_k, w_v)
