"""Raises an exception that never ends saying its own name, or its text.

step: step6_self_attention.py
earns: nothing
"""


class Slow(type):
    @property
    def __name__(cls):
        while True:
            pass


class Endless(Exception, metaclass=Slow):
    def __str__(self):
        while True:
            pass

    __repr__ = __str__


def self_attention(x, w_q, w_k, w_v):
    raise Endless
