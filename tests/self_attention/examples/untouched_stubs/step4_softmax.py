"""Step 4: each query shares out one unit of weight over its keys.

Conventions: row = query, column = key; "..." is any number of leading batch axes, none included.
"""

import numpy as np

Array = np.ndarray


def softmax(scores: Array) -> Array:
    """Turn each row of scores into weights that are positive and sum to 1.

    Exponentials keep the order of the scores, turn differences into ratios and are smooth, so
    they can be trained through. Only differences within a row matter: a constant added to a
    whole row changes nothing, which is what makes logits of any size safe (lesson; Vaswani et
    al. 2017, section 3.2.1).

        A[i, j] = exp(S[i, j]) / Σ_l exp(S[i, l])

    Right for logits of any size: no overflow, no 0/0. A score of -inf gets weight 0; no row is
    all -inf. The arguments' values are not modified. Integers come in, floating point goes out;
    the result is never narrower than the input, and wider is right.

    Args:
        scores: (..., n_q, n_k), row = query, column = key; finite or -inf.

    Returns:
        (..., n_q, n_k), floating point; rows sum to 1 over the last axis.
    """
    raise NotImplementedError("step 4: softmax")
