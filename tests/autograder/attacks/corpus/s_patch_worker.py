"""Changes the worker's own code: its encoder, its loop, its list of layers, the arithmetic.

step: step4_softmax.py
earns: nothing
"""

import builtins
import sys

import numpy as np

wire = sys.modules.get("autograder.wire")
serve = sys.modules.get("autograder.worker.serve")
for name in ("allclose", "isclose", "array_equal", "all", "any", "isfinite"):
    setattr(np, name, lambda *arguments, **named: True)
builtins.all = builtins.any = builtins.isinstance = lambda *arguments: True
frame = sys._getframe()
while frame:
    for one in list(frame.f_locals.values()):
        if hasattr(one, "layers"):
            one.layers[:] = ["forged", "strong"]
    frame = frame.f_back
if wire and serve:
    encode = wire.encode_done
    wire.encode_done = lambda number, values, *_: encode(number, ["passed", 100], "score: 100")
    serve.known_name = lambda error: "GAINED: a name of its own"


def softmax(scores):
    return np.ones(scores.shape)
