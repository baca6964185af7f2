"""Known wrong answers to step 4: along which axis. What comes first is the more fundamental."""

import numpy as np

from autograder.grading import mistake

over_the_wrong_axis = mistake(
    "softmax",
    kind="softmax over the wrong axis",
    symptom="The rows of your weights do not sum to one: they are shared out along another axis. "
    "Who shares out a unit of weight, and over what?",
    answer="Each query shares out over the keys, the last axis: `axis=-1` in maximum and sum.",
)


@over_the_wrong_axis
def softmax_over_the_queries(scores):
    powers = np.exp(scores - scores.max(axis=-2, keepdims=True))
    return powers / powers.sum(axis=-2, keepdims=True)


@over_the_wrong_axis
def softmax_over_the_first_axis(scores):
    powers = np.exp(scores - scores.max(axis=0, keepdims=True))
    return powers / powers.sum(axis=0, keepdims=True)


@over_the_wrong_axis
def python_sum_of_the_rows(scores):
    powers = np.exp(scores - scores.max(axis=-1, keepdims=True))
    return powers / sum(powers)


@over_the_wrong_axis
def sum_over_the_queries(scores):
    powers = np.exp(scores - scores.max(axis=-1, keepdims=True))
    return powers / powers.sum(axis=-2, keepdims=True)


@over_the_wrong_axis
def divided_by_both_sums(scores):
    powers = np.exp(scores - scores.max(axis=-1, keepdims=True))
    weights = powers / powers.sum(axis=-1, keepdims=True)
    return weights / weights.sum(axis=-2, keepdims=True)


without_axis = mistake(
    "softmax",
    kind="softmax over all axes at once",
    symptom="All your weights together share out one unit. How many units are there, if every "
    "query has one of its own?",
    answer="Say which axis: `axis=-1, keepdims=True`. Without it NumPy sums over the whole array.",
)


@without_axis
def softmax_over_everything(scores):
    powers = np.exp(scores - scores.max())
    return powers / powers.sum()


@without_axis
def softmax_over_each_sequence(scores):
    powers = np.exp(scores - scores.max(axis=(-2, -1), keepdims=True))
    return powers / powers.sum(axis=(-2, -1), keepdims=True)


@without_axis
def sum_of_everything(scores):
    powers = np.exp(scores - scores.max(axis=-1, keepdims=True))
    return powers / powers.sum()


maximum_elsewhere = mistake(
    "softmax",
    kind="maximum over the wrong axis",
    symptom="Rows sum to one, but their weights are not in the ratios that the scores ask for. Do "
    "all scores of a row lose the same amount?",
    answer="Take the maximum over the keys as well: `scores.max(axis=-1, keepdims=True)`.",
)


@maximum_elsewhere
def maximum_over_the_queries(scores):
    powers = np.exp(scores - scores.max(axis=-2, keepdims=True))
    return powers / powers.sum(axis=-1, keepdims=True)


@maximum_elsewhere
def maximum_over_the_first_axis(scores):
    powers = np.exp(scores - scores.max(axis=0))
    return powers / powers.sum(axis=-1, keepdims=True)


axis_lost = mistake(
    "softmax",
    kind="axis lost in a sum or a maximum",
    symptom="What a sum or a maximum leaves of each row no longer lines up with the rows. Which "
    "shape does it have, and along which axis is it spread out?",
    answer="Keep the axis, so that it broadcasts along the row: `keepdims=True`.",
)


@axis_lost
def axis_lost_in_the_sum(scores):
    powers = np.exp(scores - scores.max(axis=-1, keepdims=True))
    return powers / powers.sum(axis=-1)


@axis_lost
def axis_lost_in_the_maximum(scores):
    powers = np.exp(scores - scores.max(axis=-1))
    return powers / powers.sum(axis=-1, keepdims=True)


@axis_lost
def axis_lost_in_both(scores):
    powers = np.exp(scores - scores.max(axis=-1))
    return powers / powers.sum(axis=-1)


@axis_lost
def axis_lost_without_a_maximum(scores):
    powers = np.exp(scores)
    return powers / powers.sum(axis=-1)


from_the_front = mistake(
    "softmax",
    kind="axes counted from the front",
    symptom="One sequence and a batch of them are not treated alike. Where do the keys stand, "
    "counted from the front, when there are batch axes?",
    answer="Count from the end: the keys are `axis=-1`, with any number of batch axes in front.",
)


@from_the_front
def softmax_over_axis_one(scores):
    powers = np.exp(scores - scores.max(axis=1, keepdims=True))
    return powers / powers.sum(axis=1, keepdims=True)


@from_the_front
def softmax_over_axis_two(scores):
    powers = np.exp(scores - scores.max(axis=2, keepdims=True))
    return powers / powers.sum(axis=2, keepdims=True)


@from_the_front
def each_entry_of_the_first_axis(scores):
    weights = np.zeros(scores.shape)
    for i in range(len(scores)):
        powers = np.exp(scores[i] - np.max(scores[i]))
        weights[i] = powers / np.sum(powers)
    return weights


@from_the_front
def axis_put_back_second(scores):
    powers = np.exp(scores - scores.max(axis=-1)[:, None])
    return powers / powers.sum(axis=-1)[:, None]


@from_the_front
def sums_as_one_column(scores):
    powers = np.exp(scores - scores.max(axis=-1).reshape(-1, 1))
    return powers / powers.sum(axis=-1).reshape(-1, 1)


@from_the_front
def all_axes_turned_to_divide(scores):
    powers = np.exp(scores - scores.max(axis=-1, keepdims=True))
    return (powers.T / powers.sum(axis=-1)).T


axes_go_missing = mistake(
    "softmax",
    kind="axes go missing",
    symptom="Some axes of the scores are not in your weights any more. Which line takes them away?",
    answer="Weights have the shape of the scores: no `squeeze`, and undo every `reshape`.",
)


@axes_go_missing
def batch_flattened_for_good(scores):
    rows = scores.reshape(-1, scores.shape[-1])
    powers = np.exp(rows - rows.max(axis=-1, keepdims=True))
    return powers / powers.sum(axis=-1, keepdims=True)


@axes_go_missing
def axes_of_one_squeezed_away(scores):
    powers = np.exp(scores - scores.max(axis=-1, keepdims=True))
    return np.squeeze(powers / powers.sum(axis=-1, keepdims=True))
