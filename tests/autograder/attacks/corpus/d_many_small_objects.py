"""Takes memory in small pieces, so that the interpreter itself runs out of it.

step: step6_self_attention.py
earns: nothing
"""

KEPT = []


def self_attention(x, w_q, w_k, w_v):
    while len(KEPT) < 40_000_000:
        KEPT.append([len(KEPT)])
    raise RuntimeError("GAINED: 4 GB of small objects")
