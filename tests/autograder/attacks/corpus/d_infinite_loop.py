"""Never returns.

step: step6_self_attention.py
earns: nothing
"""


def self_attention(x, w_q, w_k, w_v):
    while True:
        pass
