"""Returns an integer whose text would take minutes to write out, in a list with its like.

step: step3_scaling.py
earns: nothing
"""


def scale_scores(scores, d_k):
    return [1 << 10_000_000, -(1 << 10_000_000), 10**100]
