"""Step 1: a mask says who may attend to whom.

Conventions: a mask is boolean, True = may attend, as in torch's scaled_dot_product_attention; row =
query, column = key. A mask has no head axis: step 3 inserts it.
"""

import torch
from torch import Tensor


def causal_mask(n_q: int, n_k: int | None = None, device: torch.device | None = None) -> Tensor:
    """Hide the future: a query sees its own token and those before it.

    A decoder that writes token after token knows only what it has written, and trained in parallel
    it has to be kept from looking ahead (Vaswani et al. 2017, section 3.2.3).

        mask[i, j] is True where key j stands no later than query i

    With fewer queries than keys (the first tokens were computed before, and are only looked at) the
    queries are the LAST n_q tokens: the last query sees every key. torch's own `is_causal` counts
    from the first query, which is another mask where n_q is not n_k.

    Args:
        n_q: number of queries, at least 1.
        n_k: number of keys; n_q if it is not given.
        device: where the mask is made; torch's default if it is not given.

    Returns:
        (n_q, n_k), boolean, on `device`.

    Raises:
        ValueError: n_q > n_k, so that some query would stand before the first key.
    """
    raise NotImplementedError("step 1: causal_mask")


def padding_mask(lengths: Tensor, n: int) -> Tensor:
    """Hide the padding: the keys that stand after the end of their sequence.

    Sequences of one batch are filled up to a common length n; what fills them is no token and must
    not be looked at. It is the KEYS that are hidden, from every query alike, so the axis of the
    queries has size 1 and is broadcast (lesson "Transformers"; Vaswani et al. 2017, section 3.2.3
    describes masking of illegal connections).

        mask[b, 0, j] is True where j < lengths[b]

    A sequence of length 0 has no key at all. The argument's values are not modified.

    Args:
        lengths: (batch,), integers from 0 to n.
        n: the length that the sequences are filled up to.

    Returns:
        (batch, 1, n), boolean, on the device of `lengths`.
    """
    raise NotImplementedError("step 1: padding_mask")


def combine_masks(*masks: Tensor | None) -> Tensor | None:
    """Allow what every mask allows.

    A decoder over padded sequences needs two masks at once: not the future, and not the padding.
    Where one of them says no, it is no: logical and. None stands for "no mask" and changes nothing.

    The arguments' values are not modified.

    Args:
        masks: boolean masks whose shapes broadcast, such as (n_q, n_k) and (batch, 1, n_k), or
            None; any number of them, none included.

    Returns:
        the mask of the broadcast shape, such as (batch, n_q, n_k); None if no mask is left.
    """
    raise NotImplementedError("step 1: combine_masks")
