"""Has Python parse and compile what takes its stack or its time.

step: step4_softmax.py
earns: nothing
"""

BOMBS = ("(" * 100_000, "-" * 1_000_000 + "1", "if 1:" * 5000, "x = " * 100_000 + "1")

for bomb in BOMBS:
    try:
        compile(bomb, "bomb", "exec")
    except (SyntaxError, RecursionError, MemoryError):
        pass


def softmax(scores):
    eval("[" * 90 + "1" + "]" * 90 + " * 10**9")
    raise RuntimeError("parsed")
