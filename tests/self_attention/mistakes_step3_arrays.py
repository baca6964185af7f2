"""More known wrong answers to step 3: what becomes of numbers, axes and the caller's array."""

import math
from functools import partial

import numpy as np

from autograder.grading import mistake

_wrong = partial(mistake, "scaling")

whole_root = partial(
    _wrong,
    kind="root cut to a whole number",
    symptom="Yours is right for some widths only. Is the root of every width a whole number?",
    answer="Keep the root as it is: `math.sqrt(d_k)` without int, round, isqrt or `//`.",
)
whole_scores = partial(
    _wrong,
    kind="fractions cut off",
    symptom="Fractions are lost on the way. Which line decides what numbers the result can hold?",
    answer=(
        "Divide with `/` into a new array of floats; `//` and integer buffers cut fractions off."
    ),
)
rounded = partial(
    _wrong,
    kind="rounded",
    symptom="Your values agree with the right ones in their first digits only. Where do others go?",
    answer="Return the scores in full: rounding is for printing.",
)
bounded = partial(
    _wrong,
    kind="scores cut off",
    symptom="Very large scores, or infinite ones, come out as others do. What may a score be?",
    answer="Only divide: -inf stays -inf, and large scores are the softmax's own care.",
)
no_batch = partial(
    _wrong,
    kind="ignores batch axes",
    symptom="One sequence is right, a batch is not. Which axes come before queries and keys?",
    answer=(
        "Dividing the array divides every entry, whatever its axes: no loops, no unpacked shape."
    ),
)
wrong_type = partial(
    _wrong,
    kind="root asked of the wrong thing",
    symptom=(
        "Your line asks something for a root that has none. Of what kind is d_k, and the scores?"
    ),
    answer="d_k is a Python int: `math.sqrt(d_k)`, `np.sqrt(d_k)` or `d_k ** 0.5`.",
)
narrower = partial(
    _wrong,
    kind="narrower than the scores",
    symptom=(
        "Your scores hold fewer digits than what came in. Which line decides how wide they are?"
    ),
    answer="Leave out the `astype`: dividing keeps the dtype, or widens it.",
)
writes = partial(
    _wrong,
    kind="writes into its argument",
    symptom=(
        "After a call, the caller's scores are others. Which line writes into an array not yours?"
    ),
    answer="`scores = scores / root` makes a new array; `scores /= root` changes the caller's.",
)


@whole_root()
def cuts_the_root_to_a_whole_number(scores, d_k):
    return scores / int(math.sqrt(d_k))


@whole_root()
def rounds_the_root(scores, d_k):
    return scores / round(math.sqrt(d_k))


@whole_root()
def rounds_the_root_up(scores, d_k):
    return scores / math.ceil(math.sqrt(d_k))


@whole_scores()
def divides_by_floor_division(scores, d_k):
    return scores // math.sqrt(d_k)


@whole_scores()
def makes_room_of_the_scores_dtype(scores, d_k):
    scaled = np.zeros_like(scores)
    scaled[...] = scores / math.sqrt(d_k)
    return scaled


@whole_scores()
def makes_whole_scores(scores, d_k):
    return (scores / math.sqrt(d_k)).astype(int)


@rounded()
def rounds_to_four_digits(scores, d_k):
    return np.round(scores / math.sqrt(d_k), 4)


@rounded()
def rounds_the_root_to_two_digits(scores, d_k):
    return scores / round(math.sqrt(d_k), 2)


@bounded()
def bounds_the_scores_for_the_exponential(scores, d_k):
    return np.clip(scores / math.sqrt(d_k), -500, 500)


@bounded()
def bounds_the_scores_from_below(scores, d_k):
    return np.maximum(scores / math.sqrt(d_k), -1e9)


@bounded()
def replaces_what_is_not_finite(scores, d_k):
    return np.nan_to_num(scores / math.sqrt(d_k))


@bounded()
def scales_finite_scores_only(scores, d_k):
    return np.where(np.isfinite(scores), scores, 0) / math.sqrt(d_k)


@no_batch()
def divides_entry_by_entry(scores, d_k):
    n_q, n_k = scores.shape
    scaled = np.zeros((n_q, n_k))
    for i in range(n_q):
        for j in range(n_k):
            scaled[i, j] = scores[i, j] / math.sqrt(d_k)
    return scaled


@no_batch()
def scales_the_first_sequence_only(scores, d_k):
    scaled = np.array(scores, dtype=np.float64)
    first = scaled.reshape(-1, *scaled.shape[-2:])[0]
    first /= math.sqrt(d_k)
    return scaled


@wrong_type()
def asks_the_scores_for_one_root(scores, d_k):
    return scores / math.sqrt(scores)


@wrong_type()
def asks_the_width_for_a_method(scores, d_k):
    return scores / d_k.sqrt()


@wrong_type()
def takes_the_length_of_the_width(scores, d_k):
    return scores / math.sqrt(len(d_k))


@narrower()
def scales_in_single_precision(scores, d_k):
    return scores.astype(np.float32) / np.float32(math.sqrt(d_k))


@narrower()
def returns_half_precision_scaled_scores(scores, d_k):
    return (scores / math.sqrt(d_k)).astype(np.float16)


@writes()
def divides_the_callers_scores(scores, d_k):
    scores /= math.sqrt(d_k)
    return scores


@writes()
def multiplies_the_callers_scores(scores, d_k):
    np.multiply(scores, d_k**-0.5, out=scores)
    return scores


@writes()
def fills_the_callers_scores(scores, d_k):
    scores[...] = scores / math.sqrt(d_k)
    return scores
