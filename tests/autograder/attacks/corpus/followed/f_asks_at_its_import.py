"""Asks for ever while its file is imported, before any check has called it.

step: step6_self_attention.py
earns: nothing
"""

from step3_scaling import scale_scores

while True:
    scale_scores(1.0, 4)


def self_attention(x, w_q, w_k, w_v):
    return x, x
