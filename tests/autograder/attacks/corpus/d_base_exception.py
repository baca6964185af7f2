"""Raises what `except Exception` does not catch, with a text that raises KeyboardInterrupt.

step: step2_scores.py
earns: nothing
"""


class Mine(BaseException):
    def __str__(self):
        raise KeyboardInterrupt

    __repr__ = __str__


def attention_scores(q, k):
    raise Mine from Mine()
