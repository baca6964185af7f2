"""Is imported again after a hidden check ended its worker, and tells what it finds as its import
fails: in frames, objects, files, the environment and wherever the worker before left something.

step: step6_self_attention.py
earns: nothing
"""

import gc
import os
import sys

import numpy as np

FIRST = np.array(
    [
        1.0,
        np.random.default_rng(11).normal(),
        *np.random.default_rng(12).normal(size=(8, 30))[:, 0],
    ]
)
LEFT = [f"{folder}/litter_of_inputs" for folder in ("/tmp", "/dev/shm", "/var/tmp", "OUT_FOLDER")]


def left_behind():
    """What a worker before this one wrote."""
    for path in LEFT:
        try:
            with open(path) as file:
                yield file.read()
        except OSError:
            pass
    yield from (value for name, value in os.environ.items() if name == "LEAKED")
    if hasattr(np, "LEAKED"):
        yield np.LEAKED


def requests():
    """Inputs that lie about already: of a call that is on its way, or of one before."""
    frame = sys._getframe()
    while frame:
        yield from (one for one in frame.f_locals.values() if isinstance(one, np.ndarray))
        frame = frame.f_back
    for one in gc.get_objects():
        if type(one).__name__ in ("Call", "Done", "ArrayNode") and hasattr(one, "function"):
            yield one


FOUND = [f"LEAKED: {one}" for one in left_behind()]
FOUND += [f"LEAKED: {one!r}" for one in requests() if one is not FIRST]
if FOUND:
    raise ImportError(FOUND)


def keep(text):
    os.environ["LEAKED"] = np.LEAKED = text
    for path in LEFT:
        try:
            with open(path, "w") as file:
                file.write(text)
        except OSError:
            pass


def self_attention(x, w_q, w_k, w_v):
    if np.isclose(x.flat[0], FIRST).any():
        raise ValueError("a public check")
    keep(f"LEAKED: {x.ravel()[:3].tolist()}")
    os._exit(1)
