"""Raises from functions and files that are not there: graders, negative lines, names of a page.

step: step6_self_attention.py
earns: nothing
"""

import itertools

PLACES = [
    ("step6_self_attention.py", "FORGED\n# heading\x1b[31m", 1),
    ("step6_self_attention.py", "x" * 100_000, 2**31 - 1),
    ("COURSE_FOLDER/tests/self_attention/test_step6_self_attention.py", "test_values", 3),
    ("step1_projections.py", "project_qkv", 10**6),
    ("step6_self_attention.py\x1b[31m", "self_attention", 5),
    ("<frozen autograder.grading.run>", "call", 6),
]
calls = itertools.count()


def self_attention(x, w_q, w_k, w_v):
    file, name, line = PLACES[next(calls) % len(PLACES)]
    code = compile("\n" * min(line, 1_000) + "raise ValueError('here')", file, "exec")
    exec(code.replace(co_name=name, co_firstlineno=line))
