"""Known wrong answers to step 5: batch axes, and the care for numbers and arguments. What comes
first is the more fundamental."""

import numpy as np

from autograder.grading import mistake

fixed_batch = mistake(
    "output",
    kind="a fixed number of batch axes",
    symptom="Your product is right for one number of batch axes only. Which axes does it pair, and "
    "what does it do with all the others?",
    answer="Use `weights @ v`, which takes any batch axes; in einsum, start with `...`.",
)


@fixed_batch
def dot_of_all_pairs_of_sequences(weights, v):
    return np.dot(weights, v)


@fixed_batch
def einsum_without_batch_axes(weights, v):
    return np.einsum("ij,jd->id", weights, v)


@fixed_batch
def einsum_with_one_batch_axis(weights, v):
    return np.einsum("bij,bjd->bid", weights, v)


@mistake(
    "output",
    kind="axes go missing",
    symptom="Some axes that should be in your output are not there. Which line takes them away?",
    answer="An axis stays even where its size is 1: no `squeeze`.",
)
def output_squeezed(weights, v):
    return np.squeeze(weights @ v)


@mistake(
    "output",
    kind="fractions kept in an array of whole numbers",
    symptom="Whole values are not mixed into fractions. In what kind of array does the output "
    "end up?",
    answer="Make a floating-point array: `np.zeros(shape)`, not one like the values.",
)
def stored_like_the_values(weights, v):
    output = np.zeros((*weights.shape[:-1], v.shape[-1]), dtype=v.dtype)
    for place in np.ndindex(*weights.shape[:-1]):
        output[place] = weights[place] @ v[place[:-1]]
    return output


digits_lost = mistake(
    "output",
    kind="digits of the output lost",
    symptom="Your output holds fewer digits than what came in. Which line drops them?",
    answer="Do not round, and do not convert to a narrower dtype.",
)


@digits_lost
def output_rounded(weights, v):
    return np.round(weights @ v, 4)


@digits_lost
def output_in_single_precision(weights, v):
    return (weights @ v).astype(np.float32)


@digits_lost
def weights_in_half_precision_first(weights, v):
    return weights.astype(np.float16) @ v


overwritten = mistake(
    "output",
    kind="arguments overwritten",
    symptom="Whoever called your function finds other weights or values afterwards. Which line "
    "writes into an argument?",
    answer="Make a new array for the result: `output = weights @ v`, no `*=`, `+=` or `out=`.",
)


@overwritten
def values_scaled_in_place(weights, v):
    output = np.zeros((*weights.shape[:-1], v.shape[-1]))
    for i in range(weights.shape[-2]):
        v *= weights[..., i, :, None]
        output[..., i, :] = v.sum(axis=-2)
    return output


@overwritten
def values_centred_in_place(weights, v):
    centre = v.mean(axis=-2, keepdims=True)
    v -= centre
    return weights @ v + centre
