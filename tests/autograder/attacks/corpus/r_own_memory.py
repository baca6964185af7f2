"""Reads all of its own memory without a map of it: what the base process held would still be there.

step: step4_softmax.py
earns: nothing
unconfined: leaked
"""

import ctypes
import gc
import os
import re

PAGE = 1 << 12
libc = ctypes.CDLL(None)
libc.write.argtypes = (ctypes.c_int, ctypes.c_void_p, ctypes.c_size_t)


def search():
    """How many pages it saw, and what it found in them."""
    reading, writing = os.pipe()
    found, seen, tail = set(), 0, b""
    for anchor in sorted({id(one) >> 20 for one in gc.get_objects()}):
        for page in range(anchor << 20, (anchor + 1) << 20, PAGE):
            if libc.write(writing, page, PAGE) == PAGE:  # a page that is not there is EFAULT
                data = os.read(reading, PAGE)
                seen += 1
                found.update(re.findall(b"CANARY-[0-9a-f]{32}", tail + data))
                tail = data[-40:]
    return seen, sorted(one.decode() for one in found)


SEEN, FOUND = search()


def softmax(scores):
    raise LookupError(FOUND or f"{SEEN} pages, nothing in them")
