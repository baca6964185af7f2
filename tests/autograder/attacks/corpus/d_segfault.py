"""Reads address 0.

step: step4_softmax.py
earns: nothing
"""

import ctypes


def softmax(scores):
    ctypes.string_at(0)
