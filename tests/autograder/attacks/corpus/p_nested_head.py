"""Sends a head that is a list in a list, two hundred thousand deep.

step: step6_self_attention.py
earns: nothing
"""

import os
import struct
import time


def self_attention(x, w_q, w_k, w_v):
    head = b"\x81\xa5nodes" + b"\x91" * 200_000 + b"\xc0"
    os.write(3, struct.pack("<4sIQ", b"AGW1", len(head), 0) + head)
    time.sleep(5)
