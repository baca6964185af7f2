"""Raises and prints bidirectional, zero-width, private and unassigned characters, and surrogates.

step: step6_self_attention.py
earns: nothing
"""

import unicodedata

import numpy as np

ALL = [chr(number) for number in (*range(0x3001), *range(0xFD00, 0x10000), *range(0xE0000, 0xE0080))]
UNSEEN = "".join(one for one in ALL if unicodedata.category(one) in ("Cc", "Cf", "Zl", "Zp"))
OTHERS = "\ud800\udfff\ue000\ufdd0\U0010ffff\u202e0 of 30\u202c\u2066a\u2069\ufeff\U000e0041"
MARKS = "\u0300\u0489\u20dd" * 20


def self_attention(x, w_q, w_k, w_v):
    told = f"a{UNSEEN}b{OTHERS}c{MARKS}d"
    print(told)
    if x.ndim > 2:
        return {told: told, "\udcff": np.str_(told)}
    raise ValueError(told)
