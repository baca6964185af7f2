"""Step 6: self-attention, composed of the five steps before it.

Conventions: one token is one ROW of x; in weights, row = query, column = key; "..." is any number
of leading batch axes, none included.
"""

import numpy as np
from step1_projections import project_qkv
from step2_scores import attention_scores
from step3_scaling import scale_scores
from step4_softmax import softmax
from step5_output import attention_output

Array = np.ndarray


def self_attention(x: Array, w_q: Array, w_k: Array, w_v: Array) -> tuple[Array, Array]:
    """Let every token look at all tokens of its own sequence and take what it looks for.

    Queries, keys and values come from the same tokens: hence *self*-attention. Any two tokens
    are one step apart, however far apart they stand (Vaswani et al. 2017, sections 3.2.1 and 4).

        output = softmax(Q K^T / √d_k) V

    Made to be composed of your own steps; computing it here at once is right too. d_model, d_k
    and d_v may all differ. The arguments' values are not modified. Results are floating point,
    never narrower than the inputs, and wider is right.

    Args:
        x: (..., n, d_model), one token a row.
        w_q: (d_model, d_k), the query weights.
        w_k: (d_model, d_k), the key weights.
        w_v: (d_model, d_v), the value weights.

    Returns:
        output: (..., n, d_v), floating point.
        weights: (..., n, n), floating point; row = query, column = key; rows sum to 1.
    """
    raise NotImplementedError("step 6: self_attention")
