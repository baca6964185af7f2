"""Known wrong answers to step 4: what is computed. What comes first is the more fundamental;
mistakes_step4_axes.py and mistakes_step4_numbers.py go on."""

import numpy as np

from autograder.grading import mistake


@mistake(
    "softmax",
    kind="returns nothing",
    symptom="Your function works something out and hands nothing back. What does its caller get?",
    answer="End with a `return`: without one, a function gives its caller None.",
)
def no_weights_returned(scores):
    powers = np.exp(scores - scores.max(axis=-1, keepdims=True))
    powers /= powers.sum(axis=-1, keepdims=True)


no_array = mistake(
    "softmax",
    kind="returns no array",
    symptom="What you return is no array of weights. What kind of thing does your last line make?",
    answer="Return one NumPy array: `return powers / powers.sum(axis=-1, keepdims=True)`.",
)


@no_array
def weights_as_nested_lists(scores):
    powers = np.exp(scores - scores.max(axis=-1, keepdims=True))
    return (powers / powers.sum(axis=-1, keepdims=True)).tolist()


@no_array
def weights_as_a_list_of_rows(scores):
    return [np.exp(row - row.max()) / np.exp(row - row.max()).sum() for row in scores]


@no_array
def weights_in_a_generator(scores):
    powers = np.exp(scores - scores.max(axis=-1, keepdims=True))
    return (row / row.sum(axis=-1, keepdims=True) for row in powers)


scores_ignored = mistake(
    "softmax",
    kind="scores not used",
    symptom="Whatever the scores are, your weights are the same. Where does a score come into its "
    "weight?",
    answer="Compute the weights from the scores: `np.exp(scores - largest)` over its row's sum.",
)


@scores_ignored
def zeros_for_weights(scores):
    return np.zeros(scores.shape)


@scores_ignored
def equal_weights(scores):
    return np.full(scores.shape, 1 / scores.shape[-1])


@mistake(
    "softmax",
    kind="softmax transposed",
    symptom="A query's weights run down a column of your result. What is turned on the way, and is "
    "it turned back?",
    answer="Row = query, so do not transpose: divide by `powers.sum(axis=-1, keepdims=True)`.",
)
def softmax_not_turned_back(scores):
    powers = np.exp(scores - scores.max(axis=-1, keepdims=True))
    columns = np.swapaxes(powers, -1, -2)
    return columns / columns.sum(axis=-2, keepdims=True)


no_exponential = mistake(
    "softmax",
    kind="no exponential",
    symptom="Equal differences of scores do not give equal ratios of weights. Which function turns "
    "differences into ratios, and every number into a positive one?",
    answer="Exponentiate before dividing by the sum: `np.exp(scores)`, shifted by the maximum.",
)


@no_exponential
def scores_over_their_sum(scores):
    return scores / scores.sum(axis=-1, keepdims=True)


@no_exponential
def magnitudes_over_their_sum(scores):
    return np.abs(scores) / np.abs(scores).sum(axis=-1, keepdims=True)


@no_exponential
def squares_over_their_sum(scores):
    return scores**2 / (scores**2).sum(axis=-1, keepdims=True)


@no_exponential
def distances_from_the_minimum(scores):
    above = scores - scores.min(axis=-1, keepdims=True)
    return above / above.sum(axis=-1, keepdims=True)


@no_exponential
def positive_part_over_its_sum(scores):
    positive = np.maximum(scores, 0)
    return positive / positive.sum(axis=-1, keepdims=True)


another_function = mistake(
    "softmax",
    kind="another function in place of exp",
    symptom="Ratios of your weights are not what the differences of the scores ask for. Which "
    "function do your scores go through?",
    answer="Use `np.exp`, the exponential to base e, and nothing else, on the shifted scores.",
)


@another_function
def powers_of_two(scores):
    powers = 2.0 ** (scores - scores.max(axis=-1, keepdims=True))
    return powers / powers.sum(axis=-1, keepdims=True)


@another_function
def exponential_minus_one(scores):
    powers = np.expm1(scores - scores.max(axis=-1, keepdims=True))
    return powers / powers.sum(axis=-1, keepdims=True)


@another_function
def sigmoids_over_their_sum(scores):
    sigmoids = 1 / (1 + np.exp(-scores))
    return sigmoids / sigmoids.sum(axis=-1, keepdims=True)


@mistake(
    "softmax",
    kind="logarithm of the weights",
    symptom="None of your weights is positive. What is the last thing that your code does to them?",
    answer="Return the weights, not their logarithms: `np.exp(log_weights)`.",
)
def log_softmax(scores):
    shifted = scores - scores.max(axis=-1, keepdims=True)
    return shifted - np.log(np.exp(shifted).sum(axis=-1, keepdims=True))


largest_takes_all = mistake(
    "softmax",
    kind="all weight to the largest score",
    symptom="One key gets everything, even where two scores are close. What should a key get that "
    "matches nearly as well?",
    answer="A softmax is soft: weights are `exp(score)` over their sum, not one for the maximum.",
)


@largest_takes_all
def one_for_the_largest_score(scores):
    return (scores == scores.max(axis=-1, keepdims=True)).astype(float)


@largest_takes_all
def place_of_the_largest_score(scores):
    return np.argmax(scores, axis=-1)


upside_down = mistake(
    "softmax",
    kind="sign flipped",
    symptom="The worst match gets the most weight. What does your exponential do as a score grows?",
    answer="Subtract the maximum from the scores, `np.exp(scores - largest)`, not the reverse.",
)


@upside_down
def maximum_minus_score(scores):
    powers = np.exp(scores.max(axis=-1, keepdims=True) - scores)
    return powers / powers.sum(axis=-1, keepdims=True)


@upside_down
def softmax_of_negative_scores(scores):
    powers = np.exp(-(scores - scores.min(axis=-1, keepdims=True)))
    return powers / powers.sum(axis=-1, keepdims=True)


@upside_down
def one_over_the_exponential(scores):
    powers = 1 / np.exp(scores)
    return powers / powers.sum(axis=-1, keepdims=True)


exponentials_twice = mistake(
    "softmax",
    kind="exponentials taken twice",
    symptom="Ratios of your weights do not follow the scores. How often does a score go through an "
    "exponential on its way?",
    answer="Take exponentials once and divide by their sum once; the result is the softmax.",
)


@exponentials_twice
def softmax_of_the_softmax(scores):
    for _ in range(2):
        powers = np.exp(scores - scores.max(axis=-1, keepdims=True))
        scores = powers / powers.sum(axis=-1, keepdims=True)
    return scores


@exponentials_twice
def exponential_of_the_exponential(scores):
    powers = np.exp(np.exp(scores - scores.max(axis=-1, keepdims=True)))
    return powers / powers.sum(axis=-1, keepdims=True)


scaled_again = mistake(
    "softmax",
    kind="scaled once more in the softmax",
    symptom="Your weights are more even than these scores ask for. Is anything done to the scores "
    "here that belongs to another step?",
    answer="The scores come in scaled: no root in this step, only exponentials and their sum.",
)


@scaled_again
def scaled_by_the_number_of_keys(scores):
    scores = scores / np.sqrt(scores.shape[-1])
    powers = np.exp(scores - scores.max(axis=-1, keepdims=True))
    return powers / powers.sum(axis=-1, keepdims=True)


@scaled_again
def scaled_by_their_spread(scores):
    scores = scores / scores.std(axis=-1, keepdims=True)
    powers = np.exp(scores - scores.max(axis=-1, keepdims=True))
    return powers / powers.sum(axis=-1, keepdims=True)


no_unit = mistake(
    "softmax",
    kind="not divided by the sum",
    symptom="The weights of one query do not sum to one. What do you divide by, and what has to be "
    "shared out?",
    answer="Divide by the sum of the row's exponentials: `powers.sum(axis=-1, keepdims=True)`.",
)


@no_unit
def exponentials_of_the_scores(scores):
    return np.exp(scores)


@no_unit
def exponentials_of_the_shifted_scores(scores):
    return np.exp(scores - scores.max(axis=-1, keepdims=True))


@no_unit
def sigmoids_of_the_scores(scores):
    return 1 / (1 + np.exp(-scores))


@no_unit
def divided_by_the_number_of_keys(scores):
    powers = np.exp(scores - scores.max(axis=-1, keepdims=True))
    return powers / scores.shape[-1]


@no_unit
def divided_by_the_mean(scores):
    powers = np.exp(scores - scores.max(axis=-1, keepdims=True))
    return powers / powers.mean(axis=-1, keepdims=True)


@no_unit
def divided_by_the_length(scores):
    powers = np.exp(scores - scores.max(axis=-1, keepdims=True))
    return powers / np.linalg.norm(powers, axis=-1, keepdims=True)


@no_unit
def divided_by_the_sum_of_the_scores(scores):
    powers = np.exp(scores - scores.max(axis=-1, keepdims=True))
    return powers / scores.sum(axis=-1, keepdims=True)
