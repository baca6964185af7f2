"""Given, working: an LSTM, the recurrent layer that was built to remember for longer.

Nothing to write here; read it after step 1. Conventions: one token is one ROW of x; "..." is any
number of leading batch axes, none included.
"""

import torch

Tensor = torch.Tensor


def lstm_states(x: Tensor, w_x: Tensor, w_h: Tensor, b: Tensor, forget_bias: float = 0.0) -> Tensor:
    """Run an LSTM over the tokens, from states of zero.

    Beside its state h an LSTM carries a cell c, which is not squeezed through a matrix at each
    step: it is multiplied by a forget gate f between 0 and 1, and added to. So the direct way
    from c_s back to c_t is a product of gates: where all of them stay near 1, it stays open. A
    large forget bias opens them at the start (Hochreiter and Schmidhuber 1997; Gers et al. 2000,
    for the forget gate; Jozefowicz et al. 2015, for its bias).

        i, f, o = σ(their columns of x_t W_x + h_{t−1} W_h + b)        g = tanh(its columns)
        c_t = f * c_{t−1} + i * g        h_t = o * tanh(c_t)        h_0 = c_0 = 0

    Gates and order are those of torch.nn.LSTM: w_x is its `weight_ih_l0` transposed, w_h its
    `weight_hh_l0` transposed, b the sum of its two biases.

    Args:
        x: (..., n, d_in), one token a row.
        w_x: (d_in, 4 d_h), the columns of i, f, g and o side by side, d_h of each.
        w_h: (d_h, 4 d_h), likewise.
        b: (4 d_h,), likewise.
        forget_bias: is added to f's part of b; 0 leaves b as it is.

    Returns:
        (..., n, d_h), the states h_1 to h_n, in the dtype and on the device of x.
    """
    d_h = w_h.shape[0]
    h = c = torch.zeros((*x.shape[:-2], d_h), dtype=x.dtype, device=x.device)
    read = []
    for token in x.unbind(dim=-2):  # (..., d_in), one after the other
        columns = torch.matmul(token, w_x) + torch.matmul(h, w_h) + b  # (..., 4 d_h)
        i, f, g, o = columns.split(d_h, dim=-1)  # (..., d_h) each
        c = torch.sigmoid(f + forget_bias) * c + torch.sigmoid(i) * torch.tanh(g)
        h = torch.sigmoid(o) * torch.tanh(c)
        read += [h]
    return torch.stack(tuple(read), dim=-2)  # (..., n, d_h)
