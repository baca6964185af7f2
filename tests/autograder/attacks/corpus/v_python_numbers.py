"""Returns Python's own numbers: enormous ones, fractions, decimals, complex ones, nested in lists.

step: step4_softmax.py
earns: nothing
"""

import decimal
import fractions
import itertools

CALLS = itertools.count()
ALL = slice(None)


def softmax(scores):
    made = [
        10**4000,
        -(2**63),
        2**64 - 1,
        True,
        float("nan"),
        1e400,
        complex(0.5, float("nan")),
        decimal.Decimal("sNaN"),
        fractions.Fraction(1, 10**400),
        scores.tolist(),
        [scores, scores],
        {"weights": scores},
        {0: scores},
        ...,
        ALL,
        NotImplemented,
    ]
    return made[next(CALLS) % len(made)]
