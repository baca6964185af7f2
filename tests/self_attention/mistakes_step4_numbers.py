"""Known wrong answers to step 4: the care for numbers. What comes first is the more fundamental."""

import numpy as np

from autograder.grading import mistake

shifted_in_one_place = mistake(
    "softmax",
    kind="not the same shift above and below",
    symptom="The denominator is not the sum of what stands in the numerator. Which exponentials "
    "are shifted, and when?",
    answer="Shift before exp and once: `powers = np.exp(scores - largest)`, then `powers / sum`.",
)


@shifted_in_one_place
def shift_in_the_numerator_only(scores):
    powers = np.exp(scores - scores.max(axis=-1, keepdims=True))
    return powers / np.exp(scores).sum(axis=-1, keepdims=True)


@shifted_in_one_place
def shift_in_the_denominator_only(scores):
    powers = np.exp(scores - scores.max(axis=-1, keepdims=True))
    return np.exp(scores) / powers.sum(axis=-1, keepdims=True)


@shifted_in_one_place
def shift_after_the_exponential(scores):
    powers = np.exp(scores)
    powers = powers - powers.max(axis=-1, keepdims=True)
    return powers / powers.sum(axis=-1, keepdims=True)


divided_to_be_small = mistake(
    "softmax",
    kind="divided by the maximum",
    symptom="Your weights are not those of the scores as they came in. What may be done to a whole "
    "row and leaves the differences within it alone?",
    answer="Subtract the maximum of the row; dividing by it changes the differences.",
)


@divided_to_be_small
def divided_by_the_maximum(scores):
    powers = np.exp(scores / scores.max(axis=-1, keepdims=True))
    return powers / powers.sum(axis=-1, keepdims=True)


@divided_to_be_small
def divided_by_the_largest_magnitude(scores):
    powers = np.exp(scores / np.abs(scores).max(axis=-1, keepdims=True))
    return powers / powers.sum(axis=-1, keepdims=True)


not_shifted = mistake(
    "softmax",
    kind="no maximum subtracted",
    symptom="Small scores come out right; large ones, or very negative ones, do not. What becomes "
    "of their exponentials, and of a quotient of two such numbers?",
    answer="Subtract the row's maximum before exp: `scores - scores.max(axis=-1, keepdims=True)`.",
)


@not_shifted
def formula_as_it_stands(scores):
    powers = np.exp(scores)
    return powers / powers.sum(axis=-1, keepdims=True)


@not_shifted
def through_the_log_of_the_sum(scores):
    return np.exp(scores - np.log(np.exp(scores).sum(axis=-1, keepdims=True)))


@not_shifted
def overflow_replaced_by_zeros(scores):
    powers = np.exp(scores)
    return np.nan_to_num(powers / powers.sum(axis=-1, keepdims=True))


clipped = mistake(
    "softmax",
    kind="scores clipped",
    symptom="Keys whose scores are far apart get the weights of keys that are close. What happens "
    "to very large or very small scores before the exponential?",
    answer="Do not clip: subtracting the row's maximum keeps all differences and cannot overflow.",
)


@clipped
def scores_clipped(scores):
    powers = np.exp(np.clip(scores, -500, 500))
    return powers / powers.sum(axis=-1, keepdims=True)


@clipped
def scores_clipped_from_above(scores):
    powers = np.exp(np.minimum(scores, 80))
    return powers / powers.sum(axis=-1, keepdims=True)


@clipped
def shifted_scores_clipped(scores):
    powers = np.exp(np.maximum(scores - scores.max(axis=-1, keepdims=True), -10))
    return powers / powers.sum(axis=-1, keepdims=True)


another_shift = mistake(
    "softmax",
    kind="shifted by something else than the row's maximum",
    symptom="Some rows of very large, very negative or widely spread scores go wrong. Is the "
    "largest exponential of every single row the same after your shift?",
    answer="Shift each row by its own maximum, `scores.max(axis=-1, keepdims=True)`: exp is then "
    "at most 1, and 1 where the maximum was.",
)


@another_shift
def maximum_of_everything(scores):
    powers = np.exp(scores - scores.max())
    return powers / powers.sum(axis=-1, keepdims=True)


@another_shift
def maximum_of_each_sequence(scores):
    powers = np.exp(scores - scores.max(axis=(-2, -1), keepdims=True))
    return powers / powers.sum(axis=-1, keepdims=True)


@another_shift
def largest_magnitude_of_the_row(scores):
    powers = np.exp(scores - np.abs(scores).max(axis=-1, keepdims=True))
    return powers / powers.sum(axis=-1, keepdims=True)


@another_shift
def maximum_but_at_least_zero(scores):
    powers = np.exp(scores - scores.max(axis=-1, keepdims=True, initial=0))
    return powers / powers.sum(axis=-1, keepdims=True)


@another_shift
def mean_of_the_row(scores):
    powers = np.exp(scores - scores.mean(axis=-1, keepdims=True))
    return powers / powers.sum(axis=-1, keepdims=True)


@another_shift
def minimum_of_the_row(scores):
    powers = np.exp(scores - scores.min(axis=-1, keepdims=True))
    return powers / powers.sum(axis=-1, keepdims=True)


@another_shift
def first_score_of_the_row(scores):
    powers = np.exp(scores - scores[..., :1])
    return powers / powers.sum(axis=-1, keepdims=True)


@another_shift
def a_constant_for_all_scores(scores):
    powers = np.exp(scores - 100)
    return powers / powers.sum(axis=-1, keepdims=True)


minus_infinity = mistake(
    "softmax",
    kind="minus infinity taken for a number",
    symptom="A score of minus infinity is not left as it is, and its key gets weight. What does "
    "the exponential make of minus infinity by itself?",
    answer="Leave -inf as it is: exp(-inf) is 0, which is the weight that it should get.",
)


@minus_infinity
def minus_infinity_as_zero(scores):
    scores = np.where(np.isinf(scores), 0, scores)
    powers = np.exp(scores - scores.max(axis=-1, keepdims=True))
    return powers / powers.sum(axis=-1, keepdims=True)


@minus_infinity
def minus_infinity_as_minus_ten_thousand(scores):
    scores = np.where(np.isinf(scores), -1e4, scores)
    powers = np.exp(scores - scores.max(axis=-1, keepdims=True))
    return powers / powers.sum(axis=-1, keepdims=True)


more_below = mistake(
    "softmax",
    kind="something added to the sum",
    symptom="The weights of one query sum to slightly less than they should. What stands in the "
    "denominator besides the exponentials?",
    answer="Nothing has to be added: after the shift the sum is at least 1 and never 0.",
)


@more_below
def a_little_added_to_the_sum(scores):
    powers = np.exp(scores - scores.max(axis=-1, keepdims=True))
    return powers / (powers.sum(axis=-1, keepdims=True) + 1e-6)


@more_below
def almost_nothing_added_to_the_sum(scores):
    powers = np.exp(scores - scores.max(axis=-1, keepdims=True))
    return powers / (powers.sum(axis=-1, keepdims=True) + 1e-8)


@more_below
def one_added_to_the_sum(scores):
    powers = np.exp(scores - scores.max(axis=-1, keepdims=True))
    return powers / (powers.sum(axis=-1, keepdims=True) + 1)


whole_numbers = mistake(
    "softmax",
    kind="fractions kept in an array of whole numbers",
    symptom="Whole scores do not give fractions. In what kind of array do your exponentials or "
    "weights end up?",
    answer="Make a floating-point array for the result: `np.zeros(scores.shape)`, or no `out=`.",
)


@whole_numbers
def stored_like_the_scores(scores):
    weights = np.zeros_like(scores)
    for place in np.ndindex(*scores.shape[:-1]):
        powers = np.exp(scores[place] - scores[place].max())
        weights[place] = powers / powers.sum()
    return weights


@whole_numbers
def exponentials_into_the_shifted_scores(scores):
    powers = scores - scores.max(axis=-1, keepdims=True)
    np.exp(powers, out=powers)
    return powers / powers.sum(axis=-1, keepdims=True)


digits_lost = mistake(
    "softmax",
    kind="digits of the weights lost",
    symptom="Your weights hold fewer digits than the scores that came in. Which line drops them?",
    answer="Do not round, and do not convert to a narrower dtype.",
)


@digits_lost
def weights_rounded(scores):
    powers = np.exp(scores - scores.max(axis=-1, keepdims=True))
    return np.round(powers / powers.sum(axis=-1, keepdims=True), 4)


@digits_lost
def weights_in_single_precision(scores):
    powers = np.exp(scores - scores.max(axis=-1, keepdims=True))
    return (powers / powers.sum(axis=-1, keepdims=True)).astype(np.float32)


@digits_lost
def weights_in_half_precision(scores):
    powers = np.exp(scores - scores.max(axis=-1, keepdims=True)).astype(np.float16)
    return powers / powers.sum(axis=-1, keepdims=True)


scores_overwritten = mistake(
    "softmax",
    kind="scores overwritten",
    symptom="Whoever called your function finds other scores afterwards. Which line writes into "
    "the argument?",
    answer="Make new arrays: `shifted = scores - largest` in place of `scores -= largest`.",
)


@scores_overwritten
def maximum_subtracted_in_place(scores):
    scores -= scores.max(axis=-1, keepdims=True)
    powers = np.exp(scores)
    return powers / powers.sum(axis=-1, keepdims=True)


@scores_overwritten
def everything_in_place(scores):
    scores -= scores.max(axis=-1, keepdims=True)
    np.exp(scores, out=scores)
    scores /= scores.sum(axis=-1, keepdims=True)
    return scores


@scores_overwritten
def rows_overwritten_one_by_one(scores):
    scores = np.asarray(scores, dtype=np.result_type(scores, np.float32))
    for place in np.ndindex(*scores.shape[:-1]):
        powers = np.exp(scores[place] - scores[place].max())
        scores[place] = powers / powers.sum()
    return scores
