"""Sleeps, which costs no processor time.

step: step6_self_attention.py
earns: nothing
"""

import time


def self_attention(x, w_q, w_k, w_v):
    time.sleep(1000)
