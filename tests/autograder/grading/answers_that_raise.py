"""Wrong answers as students write them, which on unequal sizes raise something else than the known
mistakes of their kind do, or give another wrong shape."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np


@dataclass(frozen=True)
class WrongAnswer:
    """One of them.

    Args:
        kind: what a teacher would call it; "" where no known mistake is like it.
    """

    question: str
    function: str
    kind: str
    call: Callable[..., Any]


ANSWERS: dict[str, WrongAnswer] = {}


def answer(question, function, kind=""):
    def keep(call):
        ANSWERS[call.__name__] = WrongAnswer(question, function, kind, call)
        return call

    return keep


def projected(project, x, w_q, w_k, w_v):
    return project(x, w_q), project(x, w_k), project(x, w_v)


@answer("projections", "project_qkv", "weight matrix on the wrong side, or transposed")
def indices_of_the_weights_exchanged(*arguments):
    def project(x, w):
        out = np.zeros((*x.shape[:-1], w.shape[1]))
        for j in range(w.shape[1]):
            for t in range(x.shape[-1]):
                out[..., j] += x[..., t] * w[j, t]
        return out

    return projected(project, *arguments)


@answer("projections", "project_qkv", "weight matrix on the wrong side, or transposed")
def asserts_that_transposed_weights_fit(*arguments):
    def project(x, w):
        w = w.T
        assert w.shape[0] == x.shape[-1], "shapes do not match"
        return x @ w

    return projected(project, *arguments)


@answer("projections", "project_qkv", "widths taken to be equal")
def as_many_columns_as_the_tokens_have(*arguments):
    def project(x, w):
        out = np.zeros(x.shape)
        for j in range(x.shape[-1]):
            out[..., j] = x @ w[:, j]
        return out

    return projected(project, *arguments)


@answer("projections", "project_qkv", "ignores batch axes")
def number_by_number(*arguments):
    def project(x, w):
        return np.array([[float(np.dot(row, column)) for column in w.T] for row in x])

    return projected(project, *arguments)


@answer("scores", "attention_scores", "keys not transposed")
def keys_indexed_as_columns(q, k):
    scores = np.zeros((*q.shape[:-1], k.shape[-2]))
    for i in range(q.shape[-2]):
        for j in range(k.shape[-2]):
            for t in range(q.shape[-1]):
                scores[..., i, j] += q[..., i, t] * k[..., t, j]
    return scores


@answer("scores", "attention_scores", "rows are keys")
def rows_and_columns_exchanged(q, k):
    scores = np.zeros((*q.shape[:-1], k.shape[-2]))
    for i in range(q.shape[-2]):
        for j in range(k.shape[-2]):
            scores[..., j, i] = (q[..., i, :] * k[..., j, :]).sum(axis=-1)
    return scores


@answer("scores", "attention_scores", "sums over the tokens")
def summed_over_the_tokens(q, k):
    width = q.shape[-1]
    scores = np.zeros((*q.shape[:-2], width, width))
    for i in range(width):
        for j in range(width):
            for t in range(q.shape[-2]):
                scores[..., i, j] += q[..., t, i] * k[..., t, j]
    return scores


@answer("scores", "attention_scores", "ignores batch axes")
def one_pair_at_a_time(q, k):
    scores = np.zeros((len(q), len(k)))
    for i in range(len(q)):
        for j in range(len(k)):
            scores[i, j] = float(np.dot(q[i], k[j]))
    return scores


@answer("softmax", "softmax", "axis lost in a sum or a maximum")
def columns_divided_by_the_rows_sums(scores):
    powers = np.exp(scores - scores.max(axis=-1, keepdims=True))
    sums = powers.sum(axis=-1)
    weights = np.zeros(powers.shape)
    for i in range(powers.shape[-2]):
        for j in range(powers.shape[-1]):
            weights[..., i, j] = powers[..., i, j] / sums[..., j]
    return weights


@answer("softmax", "softmax", "softmax transposed")
def rows_stored_as_columns(scores):
    weights = np.zeros(scores.shape)
    for i in range(scores.shape[-2]):
        row = np.exp(scores[..., i, :] - scores[..., i, :].max(axis=-1, keepdims=True))
        weights[..., :, i] = row / row.sum(axis=-1, keepdims=True)
    return weights


@answer("output", "attention_output", "weights transposed")
def weights_of_the_key(weights, v):
    output = np.zeros((*weights.shape[:-1], v.shape[-1]))
    for i in range(weights.shape[-2]):
        for j in range(weights.shape[-1]):
            output[..., i, :] += weights[..., j, i, None] * v[..., j, :]
    return output


@answer("output", "attention_output", "values on the wrong side")
def values_before_the_weights(weights, v):
    output = np.zeros((*weights.shape[:-1], v.shape[-1]))
    for i in range(weights.shape[-2]):
        for d in range(v.shape[-1]):
            for j in range(weights.shape[-1]):
                output[..., i, d] += v[..., i, j] * weights[..., j, d]
    return output


@answer("output", "attention_output", "queries or keys left out")
def as_many_keys_as_queries(weights, v):
    n = weights.shape[-2]
    rows = [sum(weights[..., i, j, None] * v[..., j, :] for j in range(n)) for i in range(n)]
    return np.stack(rows, axis=-2)


@answer("output", "attention_output", "a fixed number of batch axes")
def one_matrix_number_by_number(weights, v):
    return np.array([[float(np.dot(row, feature)) for feature in v.T] for row in weights])


@answer("self_attention", "self_attention", "keys not transposed")
def all_at_once_with_keys_as_columns(x, w_q, w_k, w_v):
    q, k, v = x @ w_q, x @ w_k, x @ w_v
    scores = keys_indexed_as_columns(q, k) / math.sqrt(k.shape[-1])
    powers = np.exp(scores - scores.max(axis=-1, keepdims=True))
    weights = powers / powers.sum(axis=-1, keepdims=True)
    return weights @ v, weights


@answer("scores", "attention_scores")
def name_of_a_function_misspelled(q, k):
    return q @ np.swapaxis(k, -1, -2)


@answer("softmax", "softmax")
def name_of_the_argument_misspelled(scores):
    return np.exp(score) / np.exp(score).sum(axis=-1)  # noqa: F821


@answer("scores", "attention_scores")
def wrong_beyond_what_is_known(q, k):
    if q.shape[-2] != k.shape[-2]:
        raise KeyError(q.shape)
    return (q @ np.swapaxes(k, -1, -2)) ** 3


@answer("softmax", "softmax")
def raises_whatever_it_is_given(scores):
    raise ValueError("not finished")
