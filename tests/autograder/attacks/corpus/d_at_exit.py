"""Leaves work for the end of the process: exit handlers, finalisers and threads that never end.

step: step5_output.py
earns: its step
"""

import atexit
import threading
import weakref


def endless():
    while True:
        pass


class Kept:
    def __del__(self):
        endless()


KEPT = Kept()
weakref.finalize(KEPT, endless)
atexit.register(endless)
threading.Thread(target=threading.Event().wait).start()


def attention_output(weights, v):
    return weights @ v
