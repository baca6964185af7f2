"""Sends types, names and bytes that are none of the protocol's: objects, other dtypes, no UTF-8.

step: step2_scores.py
earns: nothing
"""

import os
import struct
import sys


def attention_scores(q, k):
    import msgspec

    serial = sys._getframe(1).f_locals["request"].id
    told = {"type": "done", "id": serial, "output": ""}
    nodes = [
        {"type": "array", "dtype": "O", "shape": [1]},
        {"type": "array", "dtype": "V8", "shape": [1]},
        {"type": "foreign", "kind": "GAINED: a kind of its own"},
        {"type": "list", "items": {"type": "list"}},
        msgspec.msgpack.Ext(1, b"pickle"),
        b"\xff\xfe",
        2**64 - 1,
    ]
    heads = [msgspec.msgpack.encode({**told, "nodes": [node]}) for node in nodes]
    heads += [b"\xc1\xff" * 100, b"", msgspec.msgpack.encode(told), head_of_text(told)]
    head = heads[int(abs(q).sum() * 1e6) % len(heads)]
    os.write(3, struct.pack("<4sIQ", b"AGW1", len(head), 8) + head + bytes(8))
    return 1


def head_of_text(told):
    import msgspec

    return msgspec.msgpack.encode({**told, "nodes": ["x" * 100_000], "output": "y" * 500_000})
