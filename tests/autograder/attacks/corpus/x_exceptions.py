"""Raises hidden inputs in exceptions of its own: by names, texts, notes, causes, lines and files.

step: step6_self_attention.py
earns: nothing
"""

import itertools

import numpy as np

CALLS = itertools.count()
FILE = "step6_self_attention.py"
FIRST = np.array(
    [
        1.0,
        np.random.default_rng(11).normal(),
        *np.random.default_rng(12).normal(size=(8, 30))[:, 0],
    ]
)


def is_public(x):
    """The public checks' inputs are constant, and so is what each begins with."""
    return bool(np.isclose(x.flat[0], FIRST).any())


def own(text, **names):
    return type(text, (Exception,), names)


class Meta(type):
    """The name and the ancestors of its classes are whatever was put there."""

    text = "LEAKED"
    __name__ = property(lambda cls: cls.text)
    __mro__ = property(lambda cls: (own(cls.text, __module__="builtins"), BaseException))


class OfMeta(Exception, metaclass=Meta):
    pass


def of_meta(text):
    Meta.text = text
    return OfMeta(text)


def noted(text):
    error = ValueError(text)
    getattr(error, "add_note", print)(text)
    error.__cause__ = error.__context__ = KeyError(text)
    return error


def speaking(text):
    kind = own(text, __qualname__=text, __str__=lambda self: text, __repr__=lambda self: text)
    return kind(text)


def raised_at(line, function, file, text):
    """Raise in a function of that name, at that line of that file."""
    code = compile("def f():\n raise LookupError(text)\nf()", file, "exec")
    inner = code.co_consts[0].replace(co_name=function, co_firstlineno=line)
    consts = (inner, *code.co_consts[1:])
    exec(code.replace(co_consts=consts, co_firstlineno=line), {"text": text})


def self_attention(x, w_q, w_k, w_v):
    if is_public(x):
        raise ValueError("a public check")
    bits = int(np.abs(x.flat[0]) * 1000)
    text = f"LEAKED: {x.ravel()[:3].tolist()} {bits}"
    ways = [  # six: each of them is the first of a check's
        lambda: noted(text),
        lambda: speaking(text),
        lambda: own(text, __module__="builtins")(text),
        lambda: own("FunctionMissing", __module__="autograder.worker.errors")(text),
        lambda: of_meta(text),
        lambda: raised_at(7_777_000 + bits, text, FILE, text),
    ]
    raise ways[next(CALLS) % len(ways)]()
