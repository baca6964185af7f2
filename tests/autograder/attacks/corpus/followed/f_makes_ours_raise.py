"""Hands the served functions what they cannot take, and looks for words of theirs in what comes back.

step: step6_self_attention.py
earns: its step
"""

import itertools
import traceback

import numpy as np
from step1_projections import project_qkv
from step2_scores import attention_scores
from step3_scaling import scale_scores
from step4_softmax import softmax
from step5_output import attention_output

EMPTY = np.empty((3, 0))
ODD = [
    (),
    ("text",),
    (None,),
    (True,),
    ({"scores": 1},),
    ([[1, 2], [3]],),
    (["x" * 60_000, *[""] * 10_000],),
    (EMPTY,),
    (np.array(["text"]),),
    (1 << 62,),
    (np.nan,),
    (np.zeros((1,) * 32),),
    ([[[[[[[[[[[[[[[1]]]]]]]]]]]]]]],),
    (np.array([np.nan, np.inf, -np.inf]),),
    (np.ones((2, 3)), np.ones((4, 5))),
    (np.ones((2, 3)), 0),
    (np.ones((2, 3)), -1),
    (np.ones((2, 3)), 1 << 62),
    (np.ones((2, 3)), "width"),
    (1, 2, 3, 4, 5, 6, 7, 8, 9),
]
FUNCTIONS = (project_qkv, attention_scores, scale_scores, softmax, attention_output)
NAMED = ({}, {"scores": EMPTY}, {"file": 1, "\ud800": 2})
questions = itertools.product(FUNCTIONS, ODD, NAMED)


def odd_questions(most=4):
    for function, arguments, named in itertools.islice(questions, most):
        try:
            function(*arguments, **named)
        except Exception as error:
            look(function, error)


def look(function, error):
    usual = f"{function.__name__} cannot take these arguments"
    told = "".join(traceback.format_exception(error))
    if "solutions" in told or str(error) != usual and type(error) is not TypeError:
        print(f"GAINED: {told[-300:]}")


def self_attention(x, w_q, w_k, w_v):
    odd_questions()
    q, k, v = project_qkv(x, w_q, w_k, w_v)
    weights = softmax(scale_scores(attention_scores(q, k), k.shape[-1]))
    return attention_output(weights, v), weights
