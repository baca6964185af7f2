"""Returns a list in a list in a list, ten thousand deep, and one that holds itself.

step: step2_scores.py
earns: nothing
"""


def attention_scores(q, k):
    deep = circle = []
    for _ in range(10_000):
        deep = [deep]
    circle.append(circle)
    return deep
