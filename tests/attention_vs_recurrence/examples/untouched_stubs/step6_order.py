"""Step 6: does a layer know in which order its tokens stand?

Conventions: one token is one ROW of x; "..." is any number of leading batch axes, none included.
"""

from collections.abc import Callable

import torch

Tensor = torch.Tensor


def is_permutation_equivariant(
    layer: Callable[[Tensor], Tensor], x: Tensor, permutation: Tensor
) -> bool:
    """Find out whether a layer gives reordered tokens its own outputs, reordered alike.

    Such a layer treats its tokens as a set: it cannot tell who came first. Outputs that move with
    the tokens are *equivariant*; *invariant* would be outputs that stay where they are (lesson,
    which says "invariant … when shuffled back"; Vaswani et al. 2017, section 3.5, for the way out).

        layer(x[..., p, :]) = layer(x)[..., p, :]

    The two sides are computed in another order of additions, so they agree to rounding, not to
    the last bit. x is float64. The arguments' values are not modified.

    Args:
        layer: a function of one tensor (..., n, d) that returns one tensor (..., n, d_out).
        x: (..., n, d), one token a row.
        permutation: (n,), integers: token permutation[i] of x comes to place i.

    Returns:
        whether the law holds for this layer, these tokens and this permutation.
    """
    raise NotImplementedError("step 6: is_permutation_equivariant")
