"""More known wrong answers to step 1: batch axes, dtypes, and the caller's arrays."""

from functools import partial

import numpy as np

from autograder.grading import mistake

_wrong = partial(mistake, "projections")

no_batch = partial(
    _wrong,
    kind="ignores batch axes",
    symptom="One sequence is right, a batch of them is not. Which axes come before the tokens'?",
    answer="`x @ w` works on the last two axes, whatever stands before; in einsum, write `...`.",
)
one_batch_axis = partial(
    _wrong,
    kind="expects one batch axis",
    symptom="Your function wants one certain number of axes. How many batch axes may there be?",
    answer="Count axes from the end and name none before: `x @ w`, or `...` in einsum.",
)
moved_batch = partial(
    _wrong,
    kind="batch axes moved",
    symptom="In a batch, your tokens are not where they were in x. Which axis holds the tokens?",
    answer="Leave the batch axes in front, in their order: `x @ w` does.",
)
cut_off = partial(
    _wrong,
    kind="fractions cut off",
    symptom="Digits are lost where an argument holds whole numbers. Which line decides the dtype?",
    answer="A buffer of an integer dtype cuts fractions off: let `x @ w` choose, or ask for float.",
)
narrower = partial(
    _wrong,
    kind="narrower than the arguments",
    symptom=(
        "Your results hold fewer digits than what came in. Which line decides how wide they are?"
    ),
    answer="Leave out the `astype`, or take `np.result_type` of the arguments.",
)
writes = partial(
    _wrong,
    kind="writes into its arguments",
    symptom="After a call, x is not what it was. Which line changes an array that is not yours?",
    answer="Make a new array, `x = x / s`, where `x /= s` writes into the caller's.",
)


@no_batch()
def names_the_two_axes_in_einsum(x, w_q, w_k, w_v):
    return tuple(np.einsum("nm,mk->nk", x, w) for w in (w_q, w_k, w_v))


@no_batch()
def projects_token_by_token(x, w_q, w_k, w_v):
    n, _ = x.shape
    return tuple(np.array([x[i] @ w for i in range(n)]) for w in (w_q, w_k, w_v))


@no_batch()
def transposes_every_axis_and_back(x, w_q, w_k, w_v):
    return (w_q.T @ x.T).T, (w_k.T @ x.T).T, (w_v.T @ x.T).T


@no_batch()
def projects_the_first_sequence_only(x, w_q, w_k, w_v):
    first = x.reshape(-1, *x.shape[-2:])[0]
    return first @ w_q, first @ w_k, first @ w_v


@no_batch()
def flattens_the_batch(x, w_q, w_k, w_v):
    tokens = x.reshape(-1, x.shape[-1])
    return tokens @ w_q, tokens @ w_k, tokens @ w_v


@one_batch_axis()
def names_the_batch_axis_in_einsum(x, w_q, w_k, w_v):
    return tuple(np.einsum("bnm,mk->bnk", x, w) for w in (w_q, w_k, w_v))


@one_batch_axis()
def unpacks_three_axes_at_most(x, w_q, w_k, w_v):
    if x.ndim == 2:
        return x @ w_q, x @ w_k, x @ w_v
    batch, n, d_model = x.shape
    tokens = x.reshape(batch * n, d_model)
    return tuple((tokens @ w).reshape(batch, n, -1) for w in (w_q, w_k, w_v))


@moved_batch()
def takes_the_first_of_three_axes_for_the_tokens(x, w_q, w_k, w_v):
    if x.ndim > 2:
        x = np.swapaxes(x, 0, 1)
    return x @ w_q, x @ w_k, x @ w_v


@cut_off()
def makes_room_of_the_tokens_dtype(x, w_q, w_k, w_v):
    results = []
    for w in (w_q, w_k, w_v):
        result = np.zeros((*x.shape[:-1], w.shape[1]), dtype=x.dtype)
        result[...] = x @ w
        results.append(result)
    return tuple(results)


@cut_off()
def casts_the_results_to_the_weights_dtype(x, w_q, w_k, w_v):
    return tuple((x @ w).astype(w.dtype) for w in (w_q, w_k, w_v))


@narrower()
def projects_in_single_precision(x, w_q, w_k, w_v):
    x = x.astype(np.float32)
    return tuple(x @ w.astype(np.float32) for w in (w_q, w_k, w_v))


@narrower()
def returns_half_precision_projections(x, w_q, w_k, w_v):
    return tuple((x @ w).astype(np.float16) for w in (w_q, w_k, w_v))


@writes()
def shrinks_the_tokens_in_place_and_back(x, w_q, w_k, w_v):
    largest = np.abs(x).max()
    x /= largest
    return largest * (x @ w_q), largest * (x @ w_k), largest * (x @ w_v)
