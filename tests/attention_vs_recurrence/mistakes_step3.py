"""Known wrong answers to step 3. What comes first is the more fundamental."""

import torch
from step3_influence import influence
from torch.autograd.functional import jacobian

from autograder.grading import mistake


@mistake(
    "influence",
    kind="returns nothing",
    symptom="Your function works something out and hands nothing back. What does its caller get?",
    answer="End with `return torch.linalg.vector_norm(jacobian, dim=(1, 3))`.",
)
def no_influence_returned(layer, x):
    influence(layer, x)


not_one_number_a_pair = mistake(
    "influence",
    kind="not one number for each pair of tokens",
    symptom="What you return is not one number for each pair of an output and an input token. "
    "Which axes does the derivative of all outputs by all inputs have, and which should stay?",
    answer="The Jacobian is (n, d_out, n, d): take the norm over the two axes of features.",
)


@not_one_number_a_pair
def the_whole_jacobian(layer, x):
    return jacobian(layer, x)


@not_one_number_a_pair
def one_number_for_each_input(layer, x):
    return influence(layer, x).norm(dim=0)


@not_one_number_a_pair
def gradient_of_the_sum_of_all_outputs(layer, x):
    return jacobian(lambda tokens: layer(tokens).sum(), x)


@not_one_number_a_pair
def one_number_for_the_whole_layer(layer, x):
    return influence(layer, x).norm()


@mistake(
    "influence",
    kind="outputs and inputs exchanged",
    symptom="Your rows are input tokens. Whose row is row i, and whose column is column j?",
    answer="Row = output, column = input: the Jacobian's axes are in this order already.",
)
def inputs_in_rows(layer, x):
    return influence(layer, x).T


@mistake(
    "influence",
    kind="norm over the wrong axes",
    symptom="Your numbers belong to pairs of features, or mix tokens with features. Which axes of "
    "the derivative are tokens?",
    answer="Of (n, d_out, n, d) axes 1 and 3 are features: `dim=(1, 3)`.",
)
def norm_over_tokens(layer, x):
    return torch.linalg.vector_norm(jacobian(layer, x), dim=(0, 2))


another_size = mistake(
    "influence",
    kind="another size than the Frobenius norm",
    symptom="Your numbers grow and vanish with the derivative, but are not its Frobenius norm. "
    "How do d_out · d numbers become one?",
    answer="The root of the sum of squares: `torch.linalg.vector_norm(jacobian, dim=(1, 3))`.",
)


@another_size
def squares_without_the_root(layer, x):
    return jacobian(layer, x).square().sum(dim=(1, 3))


@another_size
def root_of_the_mean_of_squares(layer, x):
    return jacobian(layer, x).square().mean(dim=(1, 3)).sqrt()


@another_size
def sum_of_magnitudes(layer, x):
    return jacobian(layer, x).abs().sum(dim=(1, 3))


@another_size
def mean_of_magnitudes(layer, x):
    return jacobian(layer, x).abs().mean(dim=(1, 3))


@another_size
def largest_magnitude(layer, x):
    return jacobian(layer, x).abs().amax(dim=(1, 3))


@another_size
def largest_singular_value(layer, x):
    blocks = jacobian(layer, x).permute(0, 2, 1, 3)
    return torch.linalg.matrix_norm(blocks, ord=2)


@another_size
def norm_of_each_row_then_summed(layer, x):
    return jacobian(layer, x).norm(dim=3).sum(dim=1)


cancels = mistake(
    "influence",
    kind="derivatives added up with their signs",
    symptom="Derivatives of opposite signs cancel in yours, as if no way led from one token to the "
    "other. What is summed before it is squared?",
    answer="Square each derivative first; one backward pass gives one row of them, not their sum.",
)


@cancels
def sum_of_all_derivatives(layer, x):
    return jacobian(layer, x).sum(dim=(1, 3))


@cancels
def magnitude_of_the_sum(layer, x):
    return jacobian(layer, x).sum(dim=(1, 3)).abs()


@cancels
def features_of_an_output_added_first(layer, x):
    return jacobian(lambda tokens: layer(tokens).sum(dim=-1), x).norm(dim=-1)


@cancels
def features_of_an_input_added_first(layer, x):
    return jacobian(layer, x).sum(dim=3).norm(dim=1)


@mistake(
    "influence",
    kind="gradients pile up",
    symptom="Your later rows hold what belongs to earlier ones. What is in a `.grad` before the "
    "next backward pass adds to it?",
    answer="Set `.grad` to None before each backward pass, or use `torch.autograd.grad`.",
)
def gradients_not_set_to_zero(layer, x):
    by_row = jacobian(layer, x).flatten(0, 1).cumsum(dim=0)  # as .grad adds them up
    return torch.linalg.vector_norm(by_row.unflatten(0, (len(x), -1)), dim=(1, 3))


some_features = mistake(
    "influence",
    kind="only some of the features",
    symptom="Your numbers leave out some of the features. Which features of an output move with "
    "which features of an input?",
    answer="All of them with all: the norm is over both axes of features, 1 and 3.",
)


@some_features
def first_feature_of_the_output(layer, x):
    return jacobian(layer, x)[:, 0].norm(dim=-1)


@some_features
def first_feature_of_the_input(layer, x):
    return jacobian(layer, x)[..., 0].norm(dim=1)


@some_features
def last_feature_of_the_output(layer, x):
    return jacobian(layer, x)[:, -1].norm(dim=-1)


@some_features
def each_feature_with_itself(layer, x):
    by_feature = jacobian(layer, x)
    same = min(by_feature.shape[1], by_feature.shape[3])
    return by_feature[:, :same, :, :same].diagonal(dim1=1, dim2=3).norm(dim=-1)


measured_elsewhere = mistake(
    "influence",
    kind="measured at another point",
    symptom="For a layer that bends, your numbers are those of another input. Which x is the layer "
    "given when you differentiate?",
    answer="Differentiate at the x that is given: `jacobian(layer, x)`.",
)


@measured_elsewhere
def at_zero(layer, x):
    return influence(layer, torch.zeros_like(x))


@measured_elsewhere
def at_ones(layer, x):
    return influence(layer, torch.ones_like(x))


made_relative = mistake(
    "influence",
    kind="made relative",
    symptom="Your rows or columns are all of one size. What did you divide the influences by?",
    answer="Leave the norms as they are; nothing has to sum to one.",
)


@made_relative
def rows_sum_to_one(layer, x):
    found = influence(layer, x)
    return found / found.sum(dim=1, keepdim=True).clamp_min(1e-12)


@made_relative
def weighted_by_the_size_of_the_token(layer, x):
    return influence(layer, x) * x.norm(dim=-1)


@mistake(
    "influence",
    kind="differences in place of derivatives",
    symptom="Your numbers are nearly the derivative, and no nearer. What does a step of finite "
    "size give, on a curve?",
    answer="Let torch differentiate: `torch.autograd.functional.jacobian(layer, x)`.",
)
def a_small_step_forward(layer, x):
    with torch.no_grad():
        at_x, found = layer(x), x.new_zeros(len(x), len(x))
        for j, feature in torch.cartesian_prod(*map(torch.arange, x.shape)).tolist():
            moved = x.clone()
            moved[j, feature] += 1e-3
            found[:, j] += ((layer(moved) - at_x) / 1e-3).square().sum(dim=-1)
    return found.sqrt()


another_dtype = mistake(
    "influence",
    kind="result of another dtype",
    symptom="Your result does not have the dtype of x. Which line decides it?",
    answer="Compute in the dtype of x, and give a tensor that you make `dtype=x.dtype`.",
)


@another_dtype
def influence_in_single_precision(layer, x):
    return influence(layer, x).float()


@another_dtype
def influence_in_double_precision(layer, x):
    return influence(layer, x).double()


@mistake(
    "influence",
    kind="as many features out as in",
    symptom="Your function fails where outputs have another number of features than inputs, or "
    "mixes them up. What does the width of the derivative come from?",
    answer="Look at `layer(x).shape[-1]`: d_out need not be d.",
)
def outputs_as_wide_as_inputs(layer, x):
    n, d = x.shape
    return jacobian(layer, x).reshape(n, d, n, d).square().sum(dim=(1, 3)).sqrt()


@mistake(
    "influence",
    kind="writes into its arguments",
    symptom="After a call x is not what it was. Which line changes a tensor that is not yours?",
    answer="Move a clone: `x.clone()`. Differentiation by torch changes no value of x.",
)
def the_tokens_moved_and_rounded_back(layer, x):
    found = influence(layer, x)
    x.detach().add_(1e-3).mul_(1.001)
    return found
