"""Returns a thousand dictionaries, each as deep as a value may be: short calls, and long to compare.

step: step4_softmax.py
earns: nothing
"""


def softmax(scores):
    chains = []
    for _ in range(1_330):
        inner = None
        for _ in range(14):
            inner = {"a": inner}
        chains.append(inner)
    return chains
