"""More known wrong answers to step 1: batch axes, gradients, dtypes, devices, work done twice."""

import torch
from step1_rnn import rnn_states

from autograder.grading import mistake

no_batch = mistake(
    "rnn",
    kind="time counted from the front",
    symptom="One sequence is right, a batch is not, or the other way round. Along which axis do "
    "the tokens stand, counted from where?",
    answer="The tokens are axis -2, whatever stands before it: `x[..., t, :]`.",
)


@no_batch
def time_is_the_first_axis(x, w_x, w_h, b):
    states = []
    state = x.new_zeros(w_h.shape[0])
    for token in x:
        state = torch.tanh(token @ w_x + state @ w_h + b)
        states.append(state)
    return torch.stack(states)


@no_batch
def time_is_the_second_axis(x, w_x, w_h, b):
    state, states = x.new_zeros(x.shape[0], w_h.shape[0]), []
    for t in range(x.shape[1]):
        state = torch.tanh(x[:, t] @ w_x + state @ w_h + b)
        states.append(state)
    return torch.stack(states, dim=1)


@no_batch
def one_batch_axis_or_none(x, w_x, w_h, b):
    batch, n, _ = (1, *x.shape) if x.dim() == 2 else x.shape
    return rnn_states(x.reshape(batch, n, -1), w_x, w_h, b).reshape(*x.shape[:-1], -1)


@no_batch
def all_sequences_are_one_long_text(x, w_x, w_h, b):
    states = rnn_states(x.reshape(-1, x.shape[-1]), w_x, w_h, b)
    return states.reshape(*x.shape[:-1], -1)


leaves_the_graph = mistake(
    "rnn",
    kind="state leaves the graph",
    symptom="Your states are right, but what a late state got wrong cannot be put right at an "
    "early token. Where does a gradient end on its way back?",
    answer="Let the state stay in the graph: no `detach`, `data`, `item`, NumPy or `no_grad`.",
)


@leaves_the_graph
def the_state_before_is_detached(x, w_x, w_h, b):
    state, states = x.new_zeros(*x.shape[:-2], w_h.shape[0]), []
    for token in x.unbind(dim=-2):
        state = torch.tanh(token @ w_x + state.detach() @ w_h + b)
        states.append(state)
    return torch.stack(states, dim=-2)


@leaves_the_graph
def states_are_kept_detached(x, w_x, w_h, b):
    return rnn_states(x, w_x, w_h, b).detach()


@leaves_the_graph
def the_last_state_alone_is_in_the_graph(x, w_x, w_h, b):
    states = rnn_states(x, w_x, w_h, b)
    return torch.cat([states[..., :-1, :].detach(), states[..., -1:, :]], dim=-2)


@leaves_the_graph
def the_first_states_are_cut_off(x, w_x, w_h, b):
    state, states = x.new_zeros(*x.shape[:-2], w_h.shape[0]), []
    for t, token in enumerate(x.unbind(dim=-2)):
        state = state.detach() if t == 1 else state
        state = torch.tanh(token @ w_x + state @ w_h + b)
        states.append(state)
    return torch.stack(states, dim=-2)


@leaves_the_graph
def matrices_without_gradients(x, w_x, w_h, b):
    return rnn_states(x, w_x.detach(), w_h.detach(), b.detach())


@mistake(
    "rnn",
    kind="goes through NumPy",
    symptom="Your states are right, but they come from numbers without a graph and without a "
    "device. Which line leaves torch?",
    answer="Stay in torch from the first line to the last: `torch.tanh`, not `np.tanh`.",
)
def states_computed_in_numpy(x, w_x, w_h, b):
    wide = (a.detach().double().numpy() for a in (x, w_x, w_h, b))
    states = rnn_states(*map(torch.from_numpy, wide))
    return states.to(x.dtype)


@mistake(
    "rnn",
    kind="first state of a dtype of its own",
    symptom="Not every dtype can be read. What does your first state take its dtype from?",
    answer="Take dtype and device from x: `x.new_zeros(...)`.",
)
def zeros_without_a_dtype(x, w_x, w_h, b):
    state, states = torch.zeros(*x.shape[:-2], w_h.shape[0], device=x.device), []
    for token in x.unbind(dim=-2):
        state = torch.tanh(token @ w_x + state @ w_h + b)
        states.append(state)
    return torch.stack(states, dim=-2)


another_dtype = mistake(
    "rnn",
    kind="states of another dtype",
    symptom="Your states do not have the dtype of the tokens. Which line decides it?",
    answer="Leave out `.float()` and `.double()`: the states have the dtype of x.",
)


@another_dtype
def states_in_double_precision(x, w_x, w_h, b):
    return rnn_states(*(a.double() for a in (x, w_x, w_h, b)))


@another_dtype
def states_in_single_precision(x, w_x, w_h, b):
    return rnn_states(*(a.float() for a in (x, w_x, w_h, b)))


@mistake(
    "rnn",
    kind="first state on the CPU",
    symptom="Your states are right, on the CPU. Where is a tensor made when nobody says where?",
    answer="Make h_0 where x is: `x.new_zeros(...)`, or `device=x.device`.",
)
def zeros_without_a_device(x, w_x, w_h, b):
    state, states = torch.zeros(*x.shape[:-2], w_h.shape[0], dtype=x.dtype), []
    for token in x.unbind(dim=-2):
        state = torch.tanh(token @ w_x + state @ w_h + b)
        states.append(state)
    return torch.stack(states, dim=-2)


starts_again = mistake(
    "rnn",
    kind="reads from the beginning for every token",
    symptom="Your states are right, but each further token takes longer than the one before. What "
    "do you compute that you already know?",
    answer="Keep the state: one step for each token, from the state of the step before.",
)


@starts_again
def each_state_from_the_beginning(x, w_x, w_h, b):
    n = x.shape[-2]
    each = [rnn_states(x[..., : t + 1, :], w_x, w_h, b)[..., -1, :] for t in range(n)]
    return torch.stack(each, dim=-2)


@mistake(
    "rnn",
    kind="computes far more than it needs",
    symptom="Your states are right, but doubling the width makes the work many times larger. What "
    "is multiplied by what at each step?",
    answer="A state is one row: multiply that row by W_h, and nothing else.",
)
def a_matrix_of_states_and_its_diagonal(x, w_x, w_h, b):
    state, states = x.new_zeros(*x.shape[:-2], w_h.shape[0]), []
    for token in x.unbind(dim=-2):
        by_weights = torch.diag_embed(state) @ w_h
        state = torch.tanh(token @ w_x + by_weights.sum(dim=-2) + b)
        states.append(state)
    return torch.stack(states, dim=-2)


@mistake(
    "rnn",
    kind="writes into its arguments",
    symptom="After a call an argument is not what it was. Which line changes a tensor not yours?",
    answer="Methods that end in `_` and `+=` change a tensor in place: make a new one.",
)
def the_bias_made_into_zeros(x, w_x, w_h, b):
    at_inputs, states = x @ w_x + b, []
    state = b.detach().zero_()
    for at_input in at_inputs.unbind(dim=-2):
        state = torch.tanh(at_input + state @ w_h)
        states.append(state)
    return torch.stack(states, dim=-2)
