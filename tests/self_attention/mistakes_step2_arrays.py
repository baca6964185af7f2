"""More known wrong answers to step 2: batch axes, dtypes, and the caller's arrays."""

from functools import partial

import numpy as np

from autograder.grading import mistake

_wrong = partial(mistake, "scores")

all_pairs_of_sequences = partial(
    _wrong,
    kind="every sequence against every other",
    symptom="In a batch, your queries meet keys of other sequences. What does the product pair up?",
    answer="np.dot, np.inner and tensordot pair all batch entries; `@` goes sequence by sequence.",
)
no_batch = partial(
    _wrong,
    kind="ignores batch axes",
    symptom=(
        "One sequence is right, a batch is not. Which two axes change places, counted from where?"
    ),
    answer=(
        "Count from the end: `np.swapaxes(k, -1, -2)`, or `...` in einsum. `k.T` turns all axes."
    ),
)
counts_from_the_front = partial(
    _wrong,
    kind="expects certain batch axes",
    symptom="Your function wants one certain number of axes. How many batch axes may there be?",
    answer="Count axes from the end: `np.swapaxes(k, -1, -2)` is right for any number of them.",
)
cut_off = partial(
    _wrong,
    kind="fractions cut off",
    symptom="Digits are lost where one argument holds whole numbers. Which line decides the dtype?",
    answer="A buffer of an integer dtype cuts fractions off: let `@` choose, or ask for float.",
)
narrower = partial(
    _wrong,
    kind="narrower than the arguments",
    symptom=(
        "Your scores hold fewer digits than what came in. Which line decides how wide they are?"
    ),
    answer="Leave out the `astype`, or take `np.result_type(q, k)`.",
)
writes = partial(
    _wrong,
    kind="writes into its arguments",
    symptom="After a call, an argument is not what it was. Which line changes an array not yours?",
    answer=(
        "`row = q[i]` is a view: `row *= …` and `k /= …` write into the caller's array. "
        "Make a new one."
    ),
)


@all_pairs_of_sequences()
def takes_numpys_dot(q, k):
    return np.dot(q, np.swapaxes(k, -1, -2))


@all_pairs_of_sequences()
def takes_numpys_inner(q, k):
    return np.inner(q, k)


@no_batch()
def transposes_every_axis_of_the_keys(q, k):
    return q @ k.T


@no_batch()
def swaps_the_first_two_axes(q, k):
    return q @ np.swapaxes(k, 0, 1)


@no_batch()
def moves_the_first_axis_to_the_end(q, k):
    return q @ np.moveaxis(k, 0, -1)


@no_batch()
def names_two_axes_in_einsum(q, k):
    return np.einsum("id,jd->ij", q, k)


@no_batch()
def compares_with_new_axes_in_front(q, k):
    return (q[:, None] * k[None, :]).sum(axis=-1)


@counts_from_the_front()
def swaps_the_second_and_third_axis(q, k):
    return q @ np.swapaxes(k, 1, 2)


@counts_from_the_front()
def names_one_batch_axis_in_einsum(q, k):
    return np.einsum("bid,bjd->bij", q, k)


@counts_from_the_front()
def knows_one_batch_axis_or_none(q, k):
    return q @ (k.T if k.ndim == 2 else k.transpose(0, 2, 1))


@counts_from_the_front()
def knows_two_batch_axes_at_most(q, k):
    orders = {2: (1, 0), 3: (0, 2, 1), 4: (0, 1, 3, 2)}
    return q @ k.transpose(orders[k.ndim])


@cut_off()
def makes_room_of_the_queries_dtype(q, k):
    scores = np.zeros((*q.shape[:-1], k.shape[-2]), dtype=q.dtype)
    scores[...] = q @ np.swapaxes(k, -1, -2)
    return scores


@cut_off()
def makes_room_of_the_keys_dtype(q, k):
    scores = np.zeros((*q.shape[:-1], k.shape[-2]), dtype=k.dtype)
    scores[...] = q @ np.swapaxes(k, -1, -2)
    return scores


@cut_off()
def makes_room_for_whole_numbers(q, k):
    scores = np.zeros((*q.shape[:-1], k.shape[-2]), dtype=int)
    scores[...] = q @ np.swapaxes(k, -1, -2)
    return scores


@narrower()
def scores_in_single_precision(q, k):
    return q.astype(np.float32) @ np.swapaxes(k, -1, -2).astype(np.float32)


@narrower()
def returns_half_precision_scores(q, k):
    return (q @ np.swapaxes(k, -1, -2)).astype(np.float16)


@writes()
def multiplies_into_a_view_of_the_query(q, k):
    scores = np.zeros((*q.shape[:-1], k.shape[-2]))
    for i in range(q.shape[-2]):
        for j in range(k.shape[-2]):
            row = q[..., i, :]
            row *= k[..., j, :]
            scores[..., i, j] = row.sum(axis=-1)
    return scores


@writes()
def makes_the_keys_unit_length_in_place_and_back(q, k):
    lengths = np.linalg.norm(k, axis=-1, keepdims=True)
    k /= lengths
    return q @ np.swapaxes(k * lengths, -1, -2)
