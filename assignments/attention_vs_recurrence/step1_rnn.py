"""Step 1: a recurrent layer reads one token after the other into one state.

Conventions: one token is one ROW of x; "..." is any number of leading batch axes, none included.
"""

import torch

Tensor = torch.Tensor


def rnn_states(x: Tensor, w_x: Tensor, w_h: Tensor, b: Tensor) -> Tensor:
    """Read the tokens in order, and keep the state after each of them.

    All that the layer knows of the tokens so far is in one state of d_h numbers, and each state
    is made from the one before: step t cannot begin before step t − 1 is done, and what the first
    token said has to survive every step in between (lesson; Elman 1990; Vaswani et al. 2017,
    section 1).

        h_t = tanh(x_t W_x + h_{t−1} W_h + b),   h_0 = 0

    n, d_in and d_h may all differ. The arguments' values are not modified. Results have the dtype
    and the device of x, and gradients flow through all steps, to every argument.

    Args:
        x: (..., n, d_in), one token a row, n at least 1.
        w_x: (d_in, d_h), from a token to the state.
        w_h: (d_h, d_h), from the state before to the state.
        b: (d_h,), the bias.

    Returns:
        (..., n, d_h), the states h_1 to h_n, one a row; h_0 is not among them.
    """
    raise NotImplementedError("step 1: rnn_states")
