"""Sends a well-formed reply whose value is nested deeper than any value may be, then a giant map.

step: step2_scores.py
earns: nothing
"""

import os
import struct
import sys


def attention_scores(q, k):
    import msgspec

    serial = sys._getframe(1).f_locals["request"].id
    node = 1
    for _ in range(300):
        node = {"type": "list", "items": [node]}
    for nodes in ([node], [{"type": "dict", "items": [["x", 1]] * 60_000}]):
        head = msgspec.msgpack.encode({"type": "done", "id": serial, "nodes": nodes, "output": ""})
        os.write(3, struct.pack("<4sIQ", b"AGW1", len(head), 0) + head)
    return 1
