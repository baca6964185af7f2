"""Known wrong answers to step 1: what is computed and returned. What comes first is the more
fundamental; mistakes_step1_graph.py goes on."""

import torch
from step1_rnn import rnn_states

from autograder.grading import mistake


@mistake(
    "rnn",
    kind="returns nothing",
    symptom="Your function works something out and hands nothing back. What does its caller get?",
    answer="End with `return torch.stack(states, dim=-2)`.",
)
def no_states_returned(x, w_x, w_h, b):
    rnn_states(x, w_x, w_h, b)


not_all_states = mistake(
    "rnn",
    kind="not one state for each token",
    symptom="What you return is not one state for each token, one a row. How many tokens are read, "
    "and which states does your caller want to see?",
    answer="Append each new state in the loop, and `return torch.stack(states, dim=-2)`.",
)


@not_all_states
def only_the_last_state(x, w_x, w_h, b):
    return rnn_states(x, w_x, w_h, b)[..., -1, :]


@not_all_states
def states_in_a_python_list(x, w_x, w_h, b):
    return list(rnn_states(x, w_x, w_h, b).unbind(dim=-2))


@not_all_states
def the_state_before_the_first_token_as_well(x, w_x, w_h, b):
    states = rnn_states(x, w_x, w_h, b)
    return torch.cat([torch.zeros_like(states[..., :1, :]), states], dim=-2)


@not_all_states
def states_stacked_in_front(x, w_x, w_h, b):
    return torch.stack(rnn_states(x, w_x, w_h, b).unbind(dim=-2))


@not_all_states
def last_state_and_all_states(x, w_x, w_h, b):
    states = rnn_states(x, w_x, w_h, b)
    return states, states[..., -1, :]


@mistake(
    "rnn",
    kind="states one step late",
    symptom="Each row of yours is the state that belongs to another token. Is a state kept before "
    "or after its token is read?",
    answer="Append after the update: row t is h_t, which has read token t.",
)
def states_kept_before_the_update(x, w_x, w_h, b):
    states = rnn_states(x, w_x, w_h, b)
    return torch.cat([torch.zeros_like(states[..., :1, :]), states[..., :-1, :]], dim=-2)


no_memory = mistake(
    "rnn",
    kind="no state from step to step",
    symptom="Your states do not hear of the tokens before their own, or not of all of them. What "
    "goes from one step to the next?",
    answer="Use the state of the step before: `state = torch.tanh(x_t @ w_x + state @ w_h + b)`.",
)


@no_memory
def each_token_by_itself(x, w_x, w_h, b):
    return torch.tanh(x @ w_x + b)


@no_memory
def the_state_starts_anew_at_each_token(x, w_x, w_h, b):
    state = x.new_zeros(*x.shape[:-2], w_h.shape[0])
    states = [torch.tanh(token @ w_x + state @ w_h + b) for token in x.unbind(dim=-2)]
    return torch.stack(states, dim=-2)


@no_memory
def only_the_token_before(x, w_x, w_h, b):
    at_inputs = x @ w_x + b
    before = torch.tanh(at_inputs)
    before = torch.cat([torch.zeros_like(before[..., :1, :]), before[..., :-1, :]], dim=-2)
    return torch.tanh(at_inputs + before @ w_h)


@mistake(
    "rnn",
    kind="tokens read backwards",
    symptom="Your states hear of tokens that come after them. In which order are tokens read?",
    answer="Go through the tokens from the first to the last: `for t in range(x.shape[-2])`.",
)
def tokens_from_the_last_to_the_first(x, w_x, w_h, b):
    return rnn_states(x.flip(-2), w_x, w_h, b).flip(-2)


another_matrix = mistake(
    "rnn",
    kind="a matrix transposed or in another's place",
    symptom="Tokens or states meet a matrix the wrong way round. A token and a state are rows: on "
    "which side does the matrix stand, and which axis of it do they meet?",
    answer="Rows times matrices, nothing transposed: `x_t @ w_x + state @ w_h`.",
)


@another_matrix
def state_weights_transposed(x, w_x, w_h, b):
    return rnn_states(x, w_x, w_h.T, b)


@another_matrix
def both_weights_transposed(x, w_x, w_h, b):
    state, states = x.new_zeros(*x.shape[:-2], w_h.shape[0]), []
    for token in x.unbind(dim=-2):
        state = torch.tanh(token @ w_x.T + state @ w_h.T + b)
        states.append(state)
    return torch.stack(states, dim=-2)


@another_matrix
def token_weights_transposed(x, w_x, w_h, b):
    return rnn_states(x, w_x.T, w_h, b)


@another_matrix
def the_same_matrix_for_both(x, w_x, w_h, b):
    return rnn_states(x, w_x, w_x, b)


@another_matrix
def matrices_exchanged(x, w_x, w_h, b):
    return rnn_states(x, w_h, w_x, b)


another_bend = mistake(
    "rnn",
    kind="another function in place of tanh",
    symptom="Your states have other sizes or signs than a hyperbolic tangent would give. What does "
    "a sum go through before it is the new state?",
    answer="`torch.tanh` of the whole sum, bias and both products included.",
)


def _with(bend, x, w_x, w_h, b):
    state, states = x.new_zeros(*x.shape[:-2], w_h.shape[0]), []
    for token in x.unbind(dim=-2):
        state = bend(token @ w_x, state @ w_h, b)
        states.append(state)
    return torch.stack(states, dim=-2)


@another_bend
def nothing_bends(x, w_x, w_h, b):
    return _with(lambda token, state, bias: token + state + bias, x, w_x, w_h, b)


@another_bend
def sigmoid_for_tanh(x, w_x, w_h, b):
    return _with(lambda token, state, bias: torch.sigmoid(token + state + bias), x, w_x, w_h, b)


@another_bend
def relu_for_tanh(x, w_x, w_h, b):
    return _with(lambda token, state, bias: torch.relu(token + state + bias), x, w_x, w_h, b)


@another_bend
def tanh_of_the_token_only(x, w_x, w_h, b):
    return _with(lambda token, state, bias: torch.tanh(token + bias) + state, x, w_x, w_h, b)


@another_bend
def tanh_before_the_bias(x, w_x, w_h, b):
    return _with(lambda token, state, bias: torch.tanh(token + state) + bias, x, w_x, w_h, b)


@another_bend
def tanh_at_the_end_only(x, w_x, w_h, b):
    return torch.tanh(nothing_bends(x, w_x, w_h, b))


bias_wrong = mistake(
    "rnn",
    kind="bias forgotten or added otherwise",
    symptom="Your states are off as if something were missing from each sum, or in it twice. What "
    "are its three terms?",
    answer="Add b once at each step: `x_t @ w_x + state @ w_h + b`.",
)


@bias_wrong
def no_bias(x, w_x, w_h, b):
    return rnn_states(x, w_x, w_h, 0 * b)


@bias_wrong
def bias_twice(x, w_x, w_h, b):
    return rnn_states(x, w_x, w_h, 2 * b)


@bias_wrong
def bias_at_the_first_token_only(x, w_x, w_h, b):
    state, states = b, []
    for token in x.unbind(dim=-2):
        state = torch.tanh(token @ w_x + (state @ w_h if states else state))
        states.append(state)
    return torch.stack(states, dim=-2)


another_start = mistake(
    "rnn",
    kind="another state to begin with",
    symptom="Your first state has heard of something besides the first token. What does the layer "
    "know before it has read anything?",
    answer="Begin with zeros: `x.new_zeros(*x.shape[:-2], w_h.shape[0])`.",
)


def _from(state, x, w_x, w_h, b):
    states = []
    for token in x.unbind(dim=-2):
        state = torch.tanh(token @ w_x + state @ w_h + b)
        states.append(state)
    return torch.stack(states, dim=-2)


@another_start
def ones_to_begin_with(x, w_x, w_h, b):
    return _from(x.new_ones(*x.shape[:-2], w_h.shape[0]), x, w_x, w_h, b)


@another_start
def the_first_token_is_read_twice(x, w_x, w_h, b):
    return _from(torch.tanh(x[..., 0, :] @ w_x + b), x, w_x, w_h, b)


@another_start
def the_bias_to_begin_with(x, w_x, w_h, b):
    return _from(b.expand(*x.shape[:-2], w_h.shape[0]), x, w_x, w_h, b)


@mistake(
    "rnn",
    kind="old state kept beside the new one",
    symptom="Your state is more than the sum's tangent: something of the old one is carried over "
    "past the matrix. Is the state replaced or added to?",
    answer="The new state takes the old one's place: `state = torch.tanh(...)`, no `+=`.",
)
def states_are_added_up(x, w_x, w_h, b):
    state, states = x.new_zeros(*x.shape[:-2], w_h.shape[0]), []
    for token in x.unbind(dim=-2):
        state = state + torch.tanh(token @ w_x + state @ w_h + b)
        states.append(state)
    return torch.stack(states, dim=-2)
