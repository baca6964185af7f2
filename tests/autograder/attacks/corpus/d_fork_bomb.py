"""Forks as often as it can, in three ways, and leaves the children behind.

step: step4_softmax.py
earns: nothing
"""

import ctypes
import os
import time

libc = ctypes.CDLL(None)


def softmax(scores):
    if os.geteuid() == 0:
        raise SystemExit("confined only")
    made = 0
    for way in (os.fork, libc.fork, lambda: libc.syscall(56, 17, 0, 0, 0, 0)):
        for _ in range(40):
            try:
                child = way()
            except OSError:
                break
            if child == 0:
                time.sleep(600)
                os._exit(0)
            made += child > 0
    raise RuntimeError(f"GAINED: {made} children" if made else "no child")
