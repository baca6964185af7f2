"""Step 5: what wide keys do to scores, to the softmax and to its gradient.

Conventions: a score is the dot product of one query and one key, each of d_k numbers.
"""

import math

import torch

Tensor = torch.Tensor


def score_variance(d_k: int, num_pairs: int, generator: torch.Generator) -> tuple[float, float]:
    """Measure how widely random scores are spread, as they are and divided by √d_k.

    Queries and keys are independent standard normals: each product of two of them has mean 0 and
    variance 1, and a score is a sum of d_k such products (Vaswani et al. 2017, section 3.2.1, in
    its footnote).

        Var(q · k) = d_k        Var(q · k / √d_k) = 1

    It is to be measured, over num_pairs pairs of a query and a key of its own, all drawn from the
    generator, which advances: a second call with it draws other numbers.

    Args:
        d_k: width of one query and of one key, at least 1.
        num_pairs: how many scores are drawn, at least 2.
        generator: draws every number.

    Returns:
        raw: the variance of the scores, a number of Python's.
        scaled: the variance of the scores divided by √d_k, a number of Python's.
    """
    raise NotImplementedError("step 5: score_variance")


def softmax_gradient(scores: Tensor) -> Tensor:
    """The derivative of every weight of one softmax by every score.

    Where one score is far above the others, its weight is nearly 1 and theirs are nearly 0: then
    every entry is nearly 0, and hardly anything is left to learn from (lesson; Vaswani et al.
    2017, section 3.2.1).

        ∂a_i / ∂s_j = a_i (δ_ij − a_j),   a = softmax(s),   δ_ij is 1 for i = j, else 0

    Scores may be of any size. Their values are not modified. The result has the dtype and the
    device of the scores; no gradient has to flow through it.

    Args:
        scores: (n,), the scores of one query.

    Returns:
        (n, n), row = weight i, column = score j.
    """
    raise NotImplementedError("step 5: softmax_gradient")
