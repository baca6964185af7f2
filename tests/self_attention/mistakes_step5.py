"""Known wrong answers to step 5: what is multiplied and summed. What comes first is the more
fundamental; mistakes_step5_care.py goes on."""

import numpy as np

from autograder.grading import mistake


@mistake(
    "output",
    kind="returns nothing",
    symptom="Your function works something out and hands nothing back. What does its caller get?",
    answer="End with a `return`: `return weights @ v`.",
)
def no_output_returned(weights, v):
    output = np.zeros((*weights.shape[:-1], v.shape[-1]))
    output += weights @ v


no_array = mistake(
    "output",
    kind="returns no array",
    symptom="What you return is no array of outputs. What kind of thing does your last line make?",
    answer="Return one NumPy array: `return weights @ v`.",
)


@no_array
def output_as_nested_lists(weights, v):
    return (weights @ v).tolist()


@no_array
def output_as_a_list_of_rows(weights, v):
    return [row @ v for row in weights]


weights_ignored = mistake(
    "output",
    kind="weights not used",
    symptom="Whatever the weights are, your output is the same. Where do the weights of a query "
    "come into its output?",
    answer="Multiply the values by the weights: `weights @ v`.",
)


@weights_ignored
def zeros_for_an_output(weights, v):
    return np.zeros((*weights.shape[:-1], v.shape[-1]))


@weights_ignored
def values_as_they_are(weights, v):
    return v


@weights_ignored
def mean_of_all_values(weights, v):
    return np.repeat(v.mean(axis=-2, keepdims=True), weights.shape[-2], axis=-2)


transposed_weights = mistake(
    "output",
    kind="weights transposed",
    symptom="A query's output is made with weights that other queries give to it. Whose weights "
    "stand in a row, and whose in a column?",
    answer="Rows are queries already: `weights @ v`, without a transpose.",
)


@transposed_weights
def weights_transposed(weights, v):
    return np.swapaxes(weights, -1, -2) @ v


@transposed_weights
def first_index_summed_over(weights, v):
    return np.einsum("...ji,...jd->...id", weights, v)


wrong_side = mistake(
    "output",
    kind="values on the wrong side",
    symptom="Your product sums over something else than the keys. Which axis of which factor runs "
    "over the keys, and what does the order of the factors decide?",
    answer="Weights on the left, values as they are on the right: `weights @ v`.",
)


@wrong_side
def values_on_the_left(weights, v):
    return v @ weights


@wrong_side
def values_on_the_left_and_weights_transposed(weights, v):
    return v @ np.swapaxes(weights, -1, -2)


@wrong_side
def values_transposed(weights, v):
    return weights @ np.swapaxes(v, -1, -2)


@wrong_side
def values_on_the_left_and_transposed(weights, v):
    return np.swapaxes(v, -1, -2) @ weights


transposed_output = mistake(
    "output",
    kind="output transposed",
    symptom="The right numbers stand in the places of their transpose. What is a row of your "
    "output: one query, or one feature of all of them?",
    answer="One query a row: `weights @ v`; in einsum, `'...ij,...jd->...id'`.",
)


@transposed_output
def both_transposed(weights, v):
    return np.swapaxes(v, -1, -2) @ np.swapaxes(weights, -1, -2)


@transposed_output
def features_before_queries(weights, v):
    return np.einsum("...ij,...jd->...di", weights, v)


no_sum = mistake(
    "output",
    kind="no sum over the keys",
    symptom="Weights and values are multiplied, but not summed over the keys. What is left of the "
    "keys in a query's output?",
    answer="`*` multiplies entry by entry; the product `weights @ v` also sums over the keys.",
)


@no_sum
def entries_multiplied(weights, v):
    return weights * v


@no_sum
def products_not_summed(weights, v):
    return weights[..., None] * v[..., None, :, :]


@no_sum
def products_summed_over_the_queries(weights, v):
    return (weights[..., None] * v[..., None, :, :]).sum(axis=-3)


@no_sum
def products_summed_over_the_features(weights, v):
    return (weights[..., None] * v[..., None, :, :]).sum(axis=-1)


best_match_only = mistake(
    "output",
    kind="only the best match counts",
    symptom="A query with weight on several keys gets the value of one. What should the other keys "
    "contribute?",
    answer="Mix all values: `weights @ v`. Taking the maximum is a hard look-up.",
)


@best_match_only
def value_of_the_largest_weight(weights, v):
    return np.take_along_axis(v, weights.argmax(axis=-1)[..., None], axis=-2)


@best_match_only
def largest_weight_times_its_value(weights, v):
    return np.where(weights == weights.max(axis=-1, keepdims=True), weights, 0) @ v


left_out = mistake(
    "output",
    kind="queries or keys left out",
    symptom="Not every key, or not every query's own weights, come into your output. Over what do "
    "you loop or index, and where does that begin and end?",
    answer="Let the matrix product run over all of them: `weights @ v`.",
)


@left_out
def last_key_left_out(weights, v):
    output = np.zeros((*weights.shape[:-1], v.shape[-1]))
    for j in range(weights.shape[-1] - 1):
        output += weights[..., j : j + 1] * v[..., j : j + 1, :]
    return output


@left_out
def only_the_last_key_is_kept(weights, v):
    output = np.zeros((*weights.shape[:-1], v.shape[-1]))
    for j in range(weights.shape[-1]):
        output = weights[..., j : j + 1] * v[..., j : j + 1, :]
    return output


@left_out
def weights_of_the_first_query(weights, v):
    return np.repeat(weights[..., :1, :] @ v, weights.shape[-2], axis=-2)


@left_out
def as_many_keys_as_queries(weights, v):
    output = np.zeros((*weights.shape[:-1], v.shape[-1]))
    for j in range(weights.shape[-2]):
        output += weights[..., j : j + 1] * v[..., j : j + 1, :]
    return output


not_the_weights_given = mistake(
    "output",
    kind="weights changed on the way",
    symptom="Equal values do not come out unchanged, or the mixture is another. Is anything done "
    "to the weights before or after they meet the values?",
    answer="The weights come in ready: `weights @ v`, with no softmax, mean or scale.",
)


@not_the_weights_given
def divided_by_the_number_of_weights(weights, v):
    return weights @ v / weights.shape[-1]


@not_the_weights_given
def scaled_by_the_width_of_the_values(weights, v):
    return weights @ v / np.sqrt(v.shape[-1])


@not_the_weights_given
def softmax_of_the_weights(weights, v):
    powers = np.exp(weights)
    return powers / powers.sum(axis=-1, keepdims=True) @ v


@not_the_weights_given
def weights_divided_by_their_columns(weights, v):
    return weights / weights.sum(axis=-2, keepdims=True) @ v
