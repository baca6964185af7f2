"""Answers with the largest, smallest and oddest numbers that are still numbers.

step: step5_scaling.py
earns: nothing
"""

import itertools

import torch

CALLS = itertools.count()
NUMBERS = (1.7e308, -1.7e308, 5e-324, -0.0, 1e200, 4.0)


def score_variance(d_k, num_pairs, generator):
    at = next(CALLS)
    return NUMBERS[at % len(NUMBERS)], NUMBERS[at // 2 % len(NUMBERS)]


def softmax_gradient(scores):
    most = torch.finfo(scores.dtype).max
    answer = scores.new_full((len(scores), len(scores)), most)
    answer.fill_diagonal_(-most)
    return answer
