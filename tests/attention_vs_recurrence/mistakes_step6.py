"""Known wrong answers to step 6. What comes first is the more fundamental."""

import torch
from step6_order import is_permutation_equivariant

from autograder.grading import mistake


@mistake(
    "order",
    kind="returns nothing",
    symptom="Your function works something out and hands nothing back. What does its caller get?",
    answer="End with `return torch.allclose(...)`.",
)
def no_answer_returned(layer, x, permutation):
    is_permutation_equivariant(layer, x, permutation)


no_truth = mistake(
    "order",
    kind="no True or False",
    symptom="You return neither True nor False. Is it a tensor of answers, or a difference?",
    answer="One answer of Python's: `torch.allclose(one, other)`, or `.all().item()`.",
)


@no_truth
def one_answer_for_each_number(layer, x, permutation):
    return torch.isclose(layer(x[..., permutation, :]), layer(x)[..., permutation, :])


@no_truth
def the_largest_difference(layer, x, permutation):
    difference = layer(x[..., permutation, :]) - layer(x)[..., permutation, :]
    return difference.abs().max().item()


always = mistake(
    "order",
    kind="the same answer to every layer",
    symptom="Your test gives every layer the same answer. What do you compare, and can the two "
    "sides differ at all?",
    answer="Compare `layer(x[..., p, :])` with `layer(x)[..., p, :]`.",
)


@always
def every_layer_passes(layer, x, permutation):
    return True


@always
def no_layer_passes(layer, x, permutation):
    return False


@always
def the_same_side_twice(layer, x, permutation):
    return torch.allclose(layer(x)[..., permutation, :], layer(x)[..., permutation, :])


@always
def shapes_alone(layer, x, permutation):
    return layer(x[..., permutation, :]).shape == layer(x)[..., permutation, :].shape


invariant = mistake(
    "order",
    kind="invariant, not equivariant",
    symptom="You ask whether outputs stay where they are when tokens move. Where should they be, "
    "if each output belongs to its token?",
    answer="Reorder the outputs too: compare with `layer(x)[..., permutation, :]`.",
)


@invariant
def outputs_that_stay(layer, x, permutation):
    return torch.allclose(layer(x[..., permutation, :]), layer(x))


@mistake(
    "order",
    kind="outputs only summed",
    symptom="You compare what is left of the outputs when their order is gone. Which output "
    "belongs to which token?",
    answer="Compare output by output, with no sum, mean or sort over the tokens.",
)
def sums_over_the_tokens(layer, x, permutation):
    return torch.allclose(layer(x[..., permutation, :]).sum(dim=-2), layer(x).sum(dim=-2))


the_other_way = mistake(
    "order",
    kind="reordered the other way",
    symptom="Tokens and outputs are reordered in opposite ways. Which way does indexing with a "
    "permutation go, and which way its inverse?",
    answer="Index both with the same permutation, or undo it on one side alone: "
    "`layer(x[..., p, :])[..., p.argsort(), :]` against `layer(x)`.",
)


@the_other_way
def outputs_by_the_inverse(layer, x, permutation):
    inverse = permutation.argsort()
    return torch.allclose(layer(x[..., permutation, :]), layer(x)[..., inverse, :])


@the_other_way
def outputs_reordered_once_more(layer, x, permutation):
    return torch.allclose(layer(x[..., permutation, :])[..., permutation, :], layer(x))


another_axis = mistake(
    "order",
    kind="another axis reordered",
    symptom="What you reorder are not the tokens of each sequence. Along which axis do they stand, "
    "counted from where?",
    answer="The tokens are axis -2: `x[..., permutation, :]`.",
)


@another_axis
def the_first_axis(layer, x, permutation):
    return torch.allclose(layer(x[permutation]), layer(x)[permutation])


@another_axis
def the_second_axis(layer, x, permutation):
    return torch.allclose(layer(x[:, permutation]), layer(x)[:, permutation])


@another_axis
def the_features(layer, x, permutation):
    return torch.allclose(layer(x[..., permutation]), layer(x)[..., permutation])


another_permutation = mistake(
    "order",
    kind="another permutation than the given one",
    symptom="Your answer is about another permutation than the one that is asked about. Which one "
    "do you use?",
    answer="Use the permutation that is given; whoever calls you tries several.",
)


@another_permutation
def tokens_turned_round(layer, x, permutation):
    return torch.allclose(layer(x.flip(-2)), layer(x).flip(-2))


@another_permutation
def tokens_moved_by_one(layer, x, permutation):
    return torch.allclose(layer(x.roll(1, -2)), layer(x).roll(1, -2))


@mistake(
    "order",
    kind="compared to the last bit",
    symptom="Your test takes rounding for a sense of order. Are two sums the same to the last bit "
    "when their terms are added in another order?",
    answer="Allow for rounding: `torch.allclose`, not `torch.equal` or `==`.",
)
def equal_to_the_last_bit(layer, x, permutation):
    return torch.equal(layer(x[..., permutation, :]), layer(x)[..., permutation, :])


too_loose = mistake(
    "order",
    kind="compared too loosely",
    symptom="Your test overlooks a faint sense of order. In double precision, how large are the "
    "differences that rounding makes?",
    answer="`torch.allclose` with its own tolerances is right in float64.",
)


@too_loose
def a_tenth_allowed(layer, x, permutation):
    one, other = layer(x[..., permutation, :]), layer(x)[..., permutation, :]
    return torch.allclose(one, other, atol=0.1)


@too_loose
def a_hundredth_allowed(layer, x, permutation):
    difference = layer(x[..., permutation, :]) - layer(x)[..., permutation, :]
    return difference.abs().max().item() < 0.01


@too_loose
def mean_difference(layer, x, permutation):
    difference = layer(x[..., permutation, :]) - layer(x)[..., permutation, :]
    return abs(difference.mean().item()) < 0.01


some_outputs = mistake(
    "order",
    kind="only some outputs compared",
    symptom="Your test looks at some of the outputs. Which of them could betray the order?",
    answer="Compare all outputs: `torch.allclose` of the whole tensors, or `.all()`.",
)


@some_outputs
def the_last_output(layer, x, permutation):
    one, other = layer(x[..., permutation, :]), layer(x)[..., permutation, :]
    return torch.allclose(one[..., -1, :], other[..., -1, :])


@some_outputs
def the_first_output(layer, x, permutation):
    one, other = layer(x[..., permutation, :]), layer(x)[..., permutation, :]
    return torch.allclose(one[..., 0, :], other[..., 0, :])


@some_outputs
def any_output_that_agrees(layer, x, permutation):
    one, other = layer(x[..., permutation, :]), layer(x)[..., permutation, :]
    return torch.isclose(one, other).any().item()


@mistake(
    "order",
    kind="answer turned round",
    symptom="You say yes where the law does not hold, and no where it does. What is True to mean?",
    answer="True where both sides agree: `return torch.allclose(...)`, with no `not`.",
)
def true_where_the_order_counts(layer, x, permutation):
    return not is_permutation_equivariant(layer, x, permutation)


@mistake(
    "order",
    kind="writes into its arguments",
    symptom="After a call the tokens are not where they were. Which line moves the caller's?",
    answer="`x[..., permutation, :]` makes a new tensor; assigning to x[...] changes the old one.",
)
def tokens_moved_for_good(layer, x, permutation):
    after = layer(x)[..., permutation, :]
    x[:] = x[..., permutation, :].clone()
    return torch.allclose(layer(x), after)
