"""More known wrong answers to step 5: the derivative of the softmax."""

import torch
from step5_scaling import softmax_gradient

from autograder.grading import mistake

of_gradient = {"function": "softmax_gradient"}


@mistake(
    "scaling",
    **of_gradient,
    kind="no derivative returned",
    symptom="Your function works something out and hands nothing back. What does its caller get?",
    answer="End with `return torch.diag(weights) - torch.outer(weights, weights)`.",
)
def no_derivative_returned(scores):
    softmax_gradient(scores)


not_all_pairs = {
    **of_gradient,
    "kind": "not every weight by every score",
    "symptom": "You do not return a derivative for each pair of a weight and a score. Which scores "
    "does one weight depend on?",
    "answer": "(n, n): `torch.diag(weights) - torch.outer(weights, weights)`.",
}


@mistake("scaling", **not_all_pairs)
def diagonal_alone(scores):
    weights = torch.softmax(scores, dim=-1)
    return weights * (1 - weights)


@mistake("scaling", **not_all_pairs)
def weights_for_derivatives(scores):
    return torch.softmax(scores, dim=-1)


@mistake("scaling", **not_all_pairs)
def derivative_of_the_sum(scores):
    return softmax_gradient(scores).sum(dim=0)


off_diagonal = {
    **of_gradient,
    "kind": "only a weight's own score counts",
    "symptom": "In yours, a score that rises takes nothing from the other weights. They sum to "
    "one: what becomes of them?",
    "answer": "Off the diagonal stands −a_i a_j: subtract the outer product.",
}


@mistake("scaling", **off_diagonal)
def zeros_beside_the_diagonal(scores):
    return torch.diag(softmax_gradient(scores).diagonal())


@mistake("scaling", **off_diagonal)
def weights_on_the_diagonal(scores):
    return torch.diag(torch.softmax(scores, dim=-1))


@mistake("scaling", **off_diagonal)
def as_for_a_sigmoid(scores):
    weights = torch.softmax(scores, dim=-1)
    return torch.outer(weights, 1 - weights)


another_formula = {
    **of_gradient,
    "kind": "another formula",
    "symptom": "Signs or terms of your derivative are not those of a_i (δ_ij − a_j). What stands "
    "on the diagonal, what beside it, and which of them is negative?",
    "answer": "`torch.diag(weights) - torch.outer(weights, weights)`.",
}


@mistake("scaling", **another_formula)
def outer_product_added(scores):
    weights = torch.softmax(scores, dim=-1)
    return torch.diag(weights) + torch.outer(weights, weights)


@mistake("scaling", **another_formula)
def sign_reversed(scores):
    return -softmax_gradient(scores)


@mistake("scaling", **another_formula)
def outer_product_alone(scores):
    weights = torch.softmax(scores, dim=-1)
    return -torch.outer(weights, weights)


@mistake("scaling", **another_formula)
def ones_on_the_diagonal(scores):
    weights = torch.softmax(scores, dim=-1)
    return torch.eye(len(scores), dtype=scores.dtype, device=scores.device) - torch.outer(
        weights, weights
    )


@mistake("scaling", **another_formula)
def of_the_logarithm(scores):
    weights = torch.softmax(scores, dim=-1)
    return torch.eye(len(scores), dtype=scores.dtype, device=scores.device) - weights


@mistake("scaling", **another_formula)
def scores_in_place_of_weights(scores):
    return torch.diag(scores) - torch.outer(scores, scores)


@mistake("scaling", **another_formula)
def absolute_values(scores):
    return softmax_gradient(scores).abs()


@mistake(
    "scaling",
    **of_gradient,
    kind="scores scaled here",
    symptom="Your derivative is that of a softmax of other scores. What is done to them first?",
    answer="The scores come in as they are: `torch.softmax(scores, dim=-1)`.",
)
def scores_divided_by_a_root(scores):
    return softmax_gradient(scores / len(scores) ** 0.5)


@mistake(
    "scaling",
    **of_gradient,
    kind="softmax without its maximum",
    symptom="Large scores give no numbers, though only their differences count. What is exp of a "
    "few thousand?",
    answer="Use `torch.softmax`, or subtract the maximum before `torch.exp`.",
)
def exponentials_as_they_are(scores):
    powers = torch.exp(scores)
    weights = powers / powers.sum()
    return torch.diag(weights) - torch.outer(weights, weights)


another_dtype = {
    **of_gradient,
    "kind": "derivative of another dtype",
    "symptom": "Your result does not have the dtype of the scores. Which line decides it?",
    "answer": "`torch.eye(n, dtype=scores.dtype, device=scores.device)`, or `torch.diag(weights)`.",
}


@mistake("scaling", **another_dtype)
def identity_without_a_dtype(scores):
    weights = torch.softmax(scores, dim=-1)
    identity = torch.eye(len(scores), device=scores.device)
    return weights.unsqueeze(-1) * (identity - weights)


@mistake("scaling", **another_dtype)
def derivative_in_double_precision(scores):
    return softmax_gradient(scores.double())


@mistake("scaling", **another_dtype)
def derivative_in_single_precision(scores):
    return softmax_gradient(scores.float())


@mistake(
    "scaling",
    **of_gradient,
    kind="a tensor made on the CPU",
    symptom="Your derivative is right, on the CPU. Where is a tensor made when nobody says where?",
    answer="Say `device=scores.device` where you make a tensor, or use `torch.diag(weights)`.",
)
def identity_without_a_device(scores):
    weights = torch.softmax(scores, dim=-1)
    identity = torch.eye(len(scores), dtype=scores.dtype)
    return weights.unsqueeze(-1) * (identity - weights)


@mistake(
    "scaling",
    **of_gradient,
    kind="writes into its arguments",
    symptom="After a call the scores are not what they were. Which line changes the caller's?",
    answer="`scores -= scores.max()` changes the caller's scores: make a new tensor.",
)
def maximum_subtracted_in_place(scores):
    scores -= scores.max()
    powers = torch.exp(scores)
    weights = powers / powers.sum()
    return torch.diag(weights) - torch.outer(weights, weights)
