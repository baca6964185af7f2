"""Step 3: how strongly does each token of the input reach each token of the output?

Conventions: one token is one ROW; in the result, row = output, column = input.
"""

from collections.abc import Callable

import torch

Tensor = torch.Tensor


def influence(layer: Callable[[Tensor], Tensor], x: Tensor) -> Tensor:
    """Measure how far each output moves when each input token is moved a little.

    The derivative of output token i by input token j is a matrix of d_out · d numbers: every
    feature of the one by every feature of the other. Its size is one number, the root of the sum
    of its squares. Zero means: no way leads from j to i (lesson; Bengio et al. 1994, for what
    becomes of it over a long way).

        influence[i, j] = ‖∂y_i / ∂x_j‖_F,   y = layer(x)

    The layer works on tensors of n tokens and is differentiable; d_out may differ from d. What
    it is made of is not your concern. x's values are not modified. The result has the dtype of
    x; no gradient has to flow through it.

    Args:
        layer: a function of one tensor (n, d) that returns one tensor (n, d_out).
        x: (n, d), the point at which it is measured.

    Returns:
        (n, n), row = output token i, column = input token j; not negative.
    """
    raise NotImplementedError("step 3: influence")
