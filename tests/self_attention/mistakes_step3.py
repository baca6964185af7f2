"""Known wrong answers to step 3. What comes first is the more fundamental."""

import math
from functools import partial

import numpy as np

from autograder.grading import mistake

_wrong = partial(mistake, "scaling")

not_an_array = partial(
    _wrong,
    kind="scaled scores not returned as an array",
    symptom="What comes back is not one array. What does a caller get from your last line?",
    answer="Return one new array: `return scores / math.sqrt(d_k)`.",
)
not_scaled = partial(
    _wrong,
    kind="not scaled",
    symptom="Your scores come out as they went in. What becomes of their spread as keys get wider?",
    answer="Divide by math.sqrt(d_k). (`1 // 2` is 0, and anything to the power of 0 is 1.)",
)
by_the_width = partial(
    _wrong,
    kind="divides by d_k",
    symptom=(
        "Your scores spread too little, the less the wider the keys. "
        "If a sum of d_k products has variance d_k, what is its standard deviation?"
    ),
    answer=(
        "Divide once by math.sqrt(d_k): the standard deviation of d_k products, not the variance."
    ),
)
upwards = partial(
    _wrong,
    kind="multiplies where it should divide",
    symptom="Your scores grow with wider keys. Should scaling make their spread larger or smaller?",
    answer="Divide by math.sqrt(d_k), or multiply by d_k ** -0.5: not both signs at once.",
)
by_the_length = partial(
    _wrong,
    kind="root of the sequence length",
    symptom=(
        "Your divisor depends on how many queries or keys there are. What is one score a sum of?"
    ),
    answer="Each score is a sum of d_k products, however long the sequence: `math.sqrt(d_k)`.",
)
fixed = partial(
    _wrong,
    kind="a fixed divisor",
    symptom="Your divisor is the same for keys of every width. What does the spread grow with?",
    answer="8 is the root of the paper's d_k = 64, and 2 that of the example's 4: use d_k.",
)
precedence = partial(
    _wrong,
    kind="power and division in the wrong order",
    symptom=(
        "Your divisor is a multiple of d_k. In which order does Python take power and division?"
    ),
    answer="`d_k ** 1 / 2` is (d_k ** 1) / 2: write `d_k ** 0.5`, `d_k ** (1 / 2)` or math.sqrt.",
)
root_of_the_scores = partial(
    _wrong,
    kind="root of the scores",
    symptom="Negative scores fare badly in yours. Of which of the two arguments is the root taken?",
    answer="The root belongs to d_k alone: `scores / math.sqrt(d_k)`.",
)
another_function = partial(
    _wrong,
    kind="another function of d_k",
    symptom=(
        "Your scores do not shrink with the width as they should. "
        "How does the standard deviation of a sum grow with the number of its terms?"
    ),
    answer="The divisor is the square root of d_k: `math.sqrt(d_k)`.",
)
turned = partial(
    _wrong,
    kind="sign turned",
    symptom="Large scores become small in yours. Which key should get most weight afterwards?",
    answer="Divide by the positive root: a better match keeps the larger score.",
)
measured = partial(
    _wrong,
    kind="scaled by the scores' own size",
    symptom="Your divisor comes from the scores themselves. Which argument alone should decide it?",
    answer="The divisor is √d_k, what the spread is on average; it is not measured on the scores.",
)
softmax_here = partial(
    _wrong,
    kind="softmax already here",
    symptom="Your scores come out as weights. Which step shares out one unit over the keys?",
    answer="Return `scores / math.sqrt(d_k)`; the softmax is step 4, else it happens twice.",
)


@not_an_array()
def divides_and_returns_nothing(scores, d_k):
    scores = scores / math.sqrt(d_k)


@not_an_array()
def returns_lists_of_scores(scores, d_k):
    return (scores / math.sqrt(d_k)).tolist()


@not_an_array()
def returns_the_divisor_as_well(scores, d_k):
    root = math.sqrt(d_k)
    return scores / root, root


@not_an_array()
def returns_the_divisor_only(scores, d_k):
    return math.sqrt(d_k)


@not_scaled()
def returns_the_scores_as_they_are(scores, d_k):
    return scores * 1.0


@not_scaled()
def takes_a_power_of_half_by_floor_division(scores, d_k):
    return scores / d_k ** (1 // 2)


@by_the_width()
def divides_by_the_width(scores, d_k):
    return scores / d_k


@by_the_width()
def divides_by_the_root_twice(scores, d_k):
    scores = scores / math.sqrt(d_k)
    return scores * d_k**-0.5


@by_the_width()
def divides_by_the_width_squared(scores, d_k):
    return scores / d_k**2


@upwards()
def multiplies_by_the_root(scores, d_k):
    return scores * math.sqrt(d_k)


@upwards()
def divides_by_the_power_of_minus_half(scores, d_k):
    scale = d_k**-0.5
    return scores / scale


@upwards()
def multiplies_by_the_width(scores, d_k):
    return scores * d_k


@by_the_length()
def divides_by_the_root_of_the_keys(scores, d_k):
    return scores / math.sqrt(scores.shape[-1])


@by_the_length()
def divides_by_the_root_of_the_queries(scores, d_k):
    return scores / math.sqrt(scores.shape[-2])


@by_the_length()
def divides_by_the_root_of_the_length(scores, d_k):
    return scores / math.sqrt(len(scores))


@by_the_length()
def divides_by_the_number_of_keys(scores, d_k):
    return scores / scores.shape[-1]


@fixed()
def divides_by_the_papers_eight(scores, d_k):
    return scores / 8


@fixed()
def divides_by_the_examples_two(scores, d_k):
    return scores / 2


@precedence()
def divides_the_power_by_two(scores, d_k):
    return scores / (d_k**1 / 2)


@precedence()
def divides_by_the_width_and_by_two(scores, d_k):
    return scores / d_k**1 / 2


@root_of_the_scores()
def takes_the_root_of_the_quotient(scores, d_k):
    return np.sqrt(scores / d_k)


@root_of_the_scores()
def takes_the_root_of_the_scores(scores, d_k):
    return np.sqrt(scores) / d_k


@root_of_the_scores()
def divides_by_the_root_of_the_scores(scores, d_k):
    return d_k / np.sqrt(scores)


@another_function()
def divides_by_the_logarithm(scores, d_k):
    return scores / np.log(d_k)


@another_function()
def divides_by_the_cube_root(scores, d_k):
    return scores / np.cbrt(d_k)


@another_function()
def divides_by_the_fourth_root(scores, d_k):
    return scores / d_k**0.25


@another_function()
def divides_by_the_root_of_one_less(scores, d_k):
    return scores / np.sqrt(d_k - 1)


@another_function(
    symptom="Every score is lowered by one amount. What should become of differences of scores?"
)
def subtracts_the_root(scores, d_k):
    return scores - math.sqrt(d_k)


@turned()
def turns_the_sign(scores, d_k):
    return -scores / math.sqrt(d_k)


@measured()
def divides_by_the_measured_spread(scores, d_k):
    return scores / scores.std()


@measured()
def standardises_each_row(scores, d_k):
    scores = scores - scores.mean(axis=-1, keepdims=True)
    return scores / scores.std(axis=-1, keepdims=True)


@measured()
def divides_by_the_norm(scores, d_k):
    return scores / np.linalg.norm(scores)


@softmax_here()
def takes_the_softmax_after_scaling(scores, d_k):
    scaled = scores / math.sqrt(d_k)
    powers = np.exp(scaled - scaled.max(axis=-1, keepdims=True))
    return powers / powers.sum(axis=-1, keepdims=True)


@softmax_here()
def scales_after_a_softmax(scores, d_k):
    powers = np.exp(scores - scores.max(axis=-1, keepdims=True))
    return powers / powers.sum(axis=-1, keepdims=True) / math.sqrt(d_k)
