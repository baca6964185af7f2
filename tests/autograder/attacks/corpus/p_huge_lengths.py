"""Announces a head of 4 GB and arrays of 16 EB, and shapes whose product overflows.

step: step2_scores.py
earns: nothing
"""

import os
import struct
import sys


def attention_scores(q, k):
    import msgspec

    serial = sys._getframe(1).f_locals["request"].id
    shapes = ([2**31, 2**31, 2**31], [2**63], [-1], [0, 2**40], [1] * 1000)
    nodes = [{"type": "array", "dtype": "float64", "shape": shape} for shape in shapes]
    head = msgspec.msgpack.encode({"type": "done", "id": serial, "nodes": nodes, "output": ""})
    if q.ndim > 2:
        os.write(3, struct.pack("<4sIQ", b"AGW1", 2**32 - 1, 0))
    elif len(q) % 2:
        os.write(3, struct.pack("<4sIQ", b"AGW1", len(head), 2**64 - 1) + head)
    else:
        os.write(3, struct.pack("<4sIQ", b"AGW1", len(head), 0) + head)
    return 1
