"""Step 1: one state after another."""

import torch


def rnn_states(x, w_x, w_h, b):
    h = torch.zeros(*x.shape[:-2], w_h.shape[0], dtype=x.dtype, device=x.device)
    states = []
    for t in range(x.shape[-2]):
        h = torch.tanh(x[..., t, :] @ w_x + h @ w_h + b)
        states.append(h)
    return torch.stack(states, dim=-2)
