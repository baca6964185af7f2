"""Known wrong answers to step 5: the variance of scores. What comes first is the more fundamental;
mistakes_step5_gradient.py goes on with the derivative of the softmax."""

import math

import torch
from step5_scaling import score_variance

from autograder.grading import mistake

of_variance = {"function": "score_variance"}


@mistake(
    "scaling",
    **of_variance,
    kind="returns nothing",
    symptom="Your function works something out and hands nothing back. What does its caller get?",
    answer="End with `return scores.var().item(), scaled.var().item()`.",
)
def no_variance_returned(d_k, num_pairs, generator):
    score_variance(d_k, num_pairs, generator)


@mistake(
    "scaling",
    **of_variance,
    kind="one result, or no numbers of Python's",
    symptom="You do not return two numbers of Python's. What does `.var()` of a tensor give, and "
    "which two variances does your caller ask for?",
    answer="Return both, as numbers: `scores.var().item(), scaled.var().item()`.",
)
def only_the_raw_variance(d_k, num_pairs, generator):
    return score_variance(d_k, num_pairs, generator)[0]


@mistake(
    "scaling",
    **of_variance,
    kind="every score instead of their variance",
    symptom="You return the scores themselves. What is asked of them?",
    answer="Take the variance over all pairs: `scores.var().item()`.",
)
def all_scores_returned(d_k, num_pairs, generator):
    q, k = torch.randn(2, num_pairs, d_k, generator=generator)
    return (q * k).sum(-1), (q * k).sum(-1) / math.sqrt(d_k)


@mistake(
    "scaling",
    **of_variance,
    kind="results in the wrong order",
    symptom="What comes first should come second. Which of the two grows with the width?",
    answer="The raw variance first, then that of the scaled scores.",
)
def scaled_before_raw(d_k, num_pairs, generator):
    return score_variance(d_k, num_pairs, generator)[::-1]


recited = {
    **of_variance,
    "kind": "recited, not measured",
    "symptom": "Your variance is the same for every draw, or the same as in the call before. Which "
    "numbers is it the variance of, and where do they come from?",
    "answer": "Draw queries and keys: `torch.randn(..., generator=generator)`, and nothing else.",
}


@mistake("scaling", **recited)
def what_theory_says(d_k, num_pairs, generator):
    return float(d_k), 1.0


@mistake("scaling", **recited)
def drawn_without_the_generator(d_k, num_pairs, generator):
    torch.manual_seed(0)
    q, k = torch.randn(2, num_pairs, d_k)
    scores = (q * k).sum(-1)
    return scores.var().item(), (scores / math.sqrt(d_k)).var().item()


@mistake("scaling", **recited)
def generator_wound_back(d_k, num_pairs, generator):
    return score_variance(d_k, num_pairs, generator.manual_seed(0))


@mistake("scaling", **recited)
def a_generator_of_ones_own(d_k, num_pairs, generator):
    return score_variance(d_k, num_pairs, torch.Generator().manual_seed(1))


@mistake("scaling", **recited)
def the_same_seed_as_the_generator(d_k, num_pairs, generator):
    own = torch.Generator().manual_seed(generator.initial_seed())
    return score_variance(d_k, num_pairs, own)


other_pairs = {
    **of_variance,
    "kind": "another number of pairs",
    "symptom": "More pairs do not make your variance steadier. Over how many scores is it taken?",
    "answer": "Draw num_pairs queries and as many keys: one score for each pair.",
}


@mistake("scaling", **other_pairs)
def a_hundred_pairs(d_k, num_pairs, generator):
    return score_variance(d_k, 100, generator)


@mistake("scaling", **other_pairs)
def twenty_thousand_pairs(d_k, num_pairs, generator):
    return score_variance(d_k, 20_000, generator)


@mistake("scaling", **other_pairs)
def one_query_for_all_keys(d_k, num_pairs, generator):
    q = torch.randn(d_k, generator=generator)
    scores = torch.randn(num_pairs, d_k, generator=generator) @ q
    return scores.var().item(), (scores / math.sqrt(d_k)).var().item()


no_dot_product = {
    **of_variance,
    "kind": "no dot products of a query and a key",
    "symptom": "The variance of your scores is not that of a sum of d_k independent products. What "
    "is multiplied with what, and what is summed?",
    "answer": "`(q * k).sum(dim=-1)`: a query with its own key, summed over the features.",
}


def _of(scores, d_k):
    return scores.var().item(), (scores / math.sqrt(d_k)).var().item()


@mistake("scaling", **no_dot_product)
def products_not_summed(d_k, num_pairs, generator):
    q, k = torch.randn(2, num_pairs, d_k, generator=generator)
    return _of(q * k, d_k)


@mistake("scaling", **no_dot_product)
def products_averaged(d_k, num_pairs, generator):
    q, k = torch.randn(2, num_pairs, d_k, generator=generator)
    return _of((q * k).mean(-1), d_k)


@mistake("scaling", **no_dot_product)
def queries_with_themselves(d_k, num_pairs, generator):
    q = torch.randn(num_pairs, d_k, generator=generator)
    return _of((q * q).sum(-1), d_k)


@mistake("scaling", **no_dot_product)
def sums_over_the_pairs(d_k, num_pairs, generator):
    q, k = torch.randn(2, num_pairs, d_k, generator=generator)
    return _of((q * k).sum(0).repeat(2), d_k)


@mistake("scaling", **no_dot_product)
def keys_added_to_queries(d_k, num_pairs, generator):
    q, k = torch.randn(2, num_pairs, d_k, generator=generator)
    return _of((q + k).sum(-1), d_k)


@mistake("scaling", **no_dot_product)
def variance_of_the_queries(d_k, num_pairs, generator):
    return _of(torch.randn(num_pairs, d_k, generator=generator), d_k)


not_normal = {
    **of_variance,
    "kind": "numbers that are no standard normals",
    "symptom": "What you draw does not have mean 0 and variance 1. Which function draws standard "
    "normals?",
    "answer": "`torch.randn`: `torch.rand` draws from 0 to 1, with mean a half.",
}


@mistake("scaling", **not_normal)
def uniform_numbers(d_k, num_pairs, generator):
    q, k = torch.rand(2, num_pairs, d_k, generator=generator)
    return _of((q * k).sum(-1), d_k)


@mistake("scaling", **not_normal)
def uniform_numbers_around_zero(d_k, num_pairs, generator):
    q, k = 2 * torch.rand(2, num_pairs, d_k, generator=generator) - 1
    return _of((q * k).sum(-1), d_k)


@mistake("scaling", **not_normal)
def vectors_of_length_one(d_k, num_pairs, generator):
    q, k = torch.randn(2, num_pairs, d_k, generator=generator)
    return _of((q / q.norm(dim=-1, keepdim=True) * k).sum(-1), d_k)


no_variance = {
    **of_variance,
    "kind": "something else than a variance",
    "symptom": "Your numbers measure the spread of scores, but not as a variance, or not spread at "
    "all. What is the mean of the squared distance from the mean?",
    "answer": "`scores.var()`; `std` is its root, and the mean of scores is near 0.",
}


@mistake("scaling", **no_variance)
def standard_deviations(d_k, num_pairs, generator):
    return tuple(math.sqrt(one) for one in score_variance(d_k, num_pairs, generator))


@mistake("scaling", **no_variance)
def means_of_the_scores(d_k, num_pairs, generator):
    q, k = torch.randn(2, num_pairs, d_k, generator=generator)
    scores = (q * k).sum(-1)
    return scores.mean().item(), scores.mean().item() / math.sqrt(d_k)


@mistake("scaling", **no_variance)
def means_of_their_magnitudes(d_k, num_pairs, generator):
    q, k = torch.randn(2, num_pairs, d_k, generator=generator)
    scores = (q * k).sum(-1).abs()
    return scores.mean().item(), scores.mean().item() / math.sqrt(d_k)


another_scale = {
    **of_variance,
    "kind": "scores scaled otherwise",
    "symptom": "Your second variance is not that of scores divided by the root of their width. "
    "What becomes of a variance when each number is divided by c?",
    "answer": "Divide the scores by `math.sqrt(d_k)`, so that their variance is divided by d_k.",
}


@mistake("scaling", **another_scale)
def scores_divided_by_the_width(d_k, num_pairs, generator):
    raw, _ = score_variance(d_k, num_pairs, generator)
    return raw, raw / d_k**2


@mistake("scaling", **another_scale)
def the_variance_divided_by_the_root(d_k, num_pairs, generator):
    raw, _ = score_variance(d_k, num_pairs, generator)
    return raw, raw / math.sqrt(d_k)


@mistake("scaling", **another_scale)
def scores_not_scaled(d_k, num_pairs, generator):
    raw, _ = score_variance(d_k, num_pairs, generator)
    return raw, raw


@mistake("scaling", **another_scale)
def scores_multiplied_by_the_root(d_k, num_pairs, generator):
    raw, _ = score_variance(d_k, num_pairs, generator)
    return raw, raw * d_k


@mistake("scaling", **another_scale)
def both_scaled(d_k, num_pairs, generator):
    _, scaled = score_variance(d_k, num_pairs, generator)
    return scaled, scaled


@mistake("scaling", **another_scale)
def root_of_the_number_of_pairs(d_k, num_pairs, generator):
    raw, _ = score_variance(d_k, num_pairs, generator)
    return raw, raw / num_pairs
