"""Returns what it was given first, and what it returned first, whatever it is given later.

step: step3_scaling.py
earns: nothing
"""

KEPT = []


def scale_scores(scores, d_k):
    KEPT.append(scores)
    return KEPT[0]
