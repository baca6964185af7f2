"""Ignores every signal that can be ignored, then waits for ever.

step: step6_self_attention.py
earns: nothing
"""

import signal
import time


def self_attention(x, w_q, w_k, w_v):
    for number in range(1, 65):
        try:
            signal.signal(number, signal.SIG_IGN)
        except (OSError, ValueError):
            pass
    time.sleep(1000)
