"""Other right answers to the six steps, in other arithmetic and other styles; variants_later.py
goes on from step 3."""

import math

import torch
import torch.nn.functional as F
from step1_rnn import rnn_states

from autograder.grading import variant


@variant("rnn")
def tokens_projected_before_the_loop(x, w_x, w_h, b):
    at_inputs = x @ w_x + b
    state, states = torch.zeros_like(at_inputs[..., 0, :]), []
    for at_input in at_inputs.unbind(dim=-2):
        state = torch.tanh(at_input + state @ w_h)
        states.append(state)
    return torch.stack(states, dim=-2)


@variant("rnn")
def first_state_without_a_state_before(x, w_x, w_h, b):
    states = [torch.tanh(x[..., 0, :] @ w_x + b)]
    for t in range(1, x.shape[-2]):
        states.append(torch.tanh(x[..., t, :] @ w_x + states[-1] @ w_h + b))
    return torch.stack(states, -2)


@variant("rnn")
def token_and_state_side_by_side(x, w_x, w_h, b):
    weights = torch.cat([w_x, w_h])
    state = torch.zeros(*x.shape[:-2], len(b), dtype=x.dtype, device=x.device)
    states = []
    for token in x.unbind(dim=-2):
        state = torch.tanh(torch.cat([token, state], dim=-1) @ weights + b)
        states.append(state)
    return torch.stack(states, dim=-2)


@variant("rnn")
def states_written_into_a_buffer(x, w_x, w_h, b):
    states = torch.empty(*x.shape[:-1], len(b), dtype=x.dtype, device=x.device)
    state = x.new_zeros(len(b))
    for t in range(x.shape[-2]):
        state = torch.tanh(x[..., t, :] @ w_x + state @ w_h + b)
        states[..., t, :] = state
    return states


@variant("rnn")
def states_by_einsum(x, w_x, w_h, b):
    state, states = x.new_zeros(*x.shape[:-2], len(b)), []
    for t in range(x.shape[-2]):
        from_token = torch.einsum("...i,ih->...h", x[..., t, :], w_x)
        state = torch.tanh(from_token + torch.einsum("...h,hk->...k", state, w_h) + b)
        states.append(state.unsqueeze(-2))
    return torch.cat(states, dim=-2)


@variant("rnn")
def states_by_recursion(x, w_x, w_h, b):
    if x.shape[-2] == 1:
        return torch.tanh(x @ w_x + b)
    before = states_by_recursion(x[..., :-1, :], w_x, w_h, b)
    last = torch.tanh(x[..., -1:, :] @ w_x + before[..., -1:, :] @ w_h + b)
    return torch.cat([before, last], dim=-2)


@variant("rnn")
def states_by_torchs_own_cell(x, w_x, w_h, b):
    cell = torch.nn.RNNCell(*w_x.shape, device=x.device, dtype=x.dtype)
    names = "weight_ih", "weight_hh", "bias_ih", "bias_hh"
    weights = dict(zip(names, (w_x.T, w_h.T, b, torch.zeros_like(b)), strict=True))
    sequences = x.reshape(-1, *x.shape[-2:])
    state, states = x.new_zeros(len(sequences), len(b)), []
    for t in range(x.shape[-2]):
        state = torch.func.functional_call(cell, weights, (sequences[:, t], state))
        states.append(state)
    return torch.stack(states, dim=1).reshape(*x.shape[:-1], len(b))


@variant("rnn")
def sequences_one_after_the_other(x, w_x, w_h, b):
    if x.dim() == 2:
        return rnn_states(x, w_x, w_h, b)
    return torch.stack([sequences_one_after_the_other(one, w_x, w_h, b) for one in x])


@variant("attention")
def attention_by_einsum_in_a_list(x, w_q, w_k, w_v):
    k = torch.einsum("...nm,mk->...nk", x, w_k)
    q = torch.einsum("...nm,mk->...nk", x, w_q)
    scores = torch.einsum("...id,...jd->...ij", q, k) / k.shape[-1] ** 0.5
    weights = F.softmax(scores, dim=-1)
    return [torch.einsum("...ij,...jv->...iv", weights, x @ w_v), weights]


@variant("attention")
def queries_scaled_first(x, w_q, w_k, w_v):
    q = x @ w_q / math.sqrt(w_q.shape[-1])
    weights = (q @ (x @ w_k).mT).softmax(dim=-1)
    return weights.matmul(x @ w_v), weights


@variant("attention")
def queries_and_keys_scaled_by_the_fourth_root(x, w_q, w_k, w_v):
    root = w_k.shape[-1] ** -0.25
    weights = torch.softmax((x @ w_q * root) @ (x @ w_k * root).transpose(-1, -2), dim=-1)
    return weights @ (x @ w_v), weights


@variant("attention")
def softmax_by_hand(x, w_q, w_k, w_v):
    q, k, v = (x @ w for w in (w_q, w_k, w_v))
    scores = q @ k.transpose(-2, -1) / math.sqrt(k.shape[-1])
    powers = torch.exp(scores - scores.amax(dim=-1, keepdim=True))
    weights = powers / powers.sum(dim=-1, keepdim=True)
    return weights @ v, weights


@variant("attention")
def weights_through_their_logarithms(x, w_q, w_k, w_v):
    q, k, v = (x @ w for w in (w_q, w_k, w_v))
    weights = torch.log_softmax(q @ k.mT / math.sqrt(k.shape[-1]), dim=-1).exp()
    return weights @ v, weights


@variant("attention")
def scores_by_products_that_broadcast(x, w_q, w_k, w_v):
    q, k, v = (x @ w for w in (w_q, w_k, w_v))
    scores = (q.unsqueeze(-2) * k.unsqueeze(-3)).sum(dim=-1) / math.sqrt(k.shape[-1])
    weights = torch.softmax(scores, dim=-1)
    return (weights.unsqueeze(-1) * v.unsqueeze(-3)).sum(dim=-2), weights


@variant("attention")
def torchs_fused_output_beside_own_weights(x, w_q, w_k, w_v):
    q, k, v = (x @ w for w in (w_q, w_k, w_v))
    weights = torch.softmax(q @ k.transpose(-2, -1) * k.shape[-1] ** -0.5, dim=-1)
    return F.scaled_dot_product_attention(q, k, v), weights


@variant("attention")
def one_projection_split_in_three(x, w_q, w_k, w_v):
    together = x @ torch.cat([w_q, w_k, w_v], dim=-1)
    q, k, v = together.split([w_q.shape[-1], w_k.shape[-1], w_v.shape[-1]], dim=-1)
    weights = torch.softmax(q @ k.transpose(-2, -1) / math.sqrt(k.shape[-1]), dim=-1)
    return weights @ v, weights
