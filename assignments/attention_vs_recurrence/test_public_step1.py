"""Public checks of step 1: one state after another."""

import pytest
import torch

pytestmark = pytest.mark.question("rnn")


def drawn(seed, *sizes):
    """Random tensors of these sizes, in double precision; the same numbers each time."""
    generator = torch.Generator().manual_seed(seed)
    return [torch.randn(size, generator=generator, dtype=torch.float64) for size in sizes]


@pytest.mark.weight(2)
def test_the_paper_example_of_step_1(student):
    """The example of the README comes out as on paper."""
    x = torch.tensor([[1.0], [0.0], [0.0]])

    states = student.rnn_states(x, torch.tensor([[1.0]]), torch.tensor([[0.5]]), torch.zeros(1))

    assert tuple(states.shape) == (3, 1), f"the states have shape {tuple(states.shape)}, not (3, 1)"
    expected = torch.tensor([[0.7616], [0.3634], [0.1797]])
    assert torch.allclose(states, expected, atol=1e-4), (
        f"expected the states {expected.flatten().tolist()}, got {states.flatten().tolist()}"
    )


@pytest.mark.weight(2)
def test_a_state_knows_the_tokens_read_so_far(student):
    """Reading goes one way: another fourth token changes the fourth state and all later ones."""
    x, w_x, w_h, b = drawn(1, (6, 3), (3, 4), (4, 4), (4,))
    other = x.clone()
    other[3] = -x[3]

    states, others = student.rnn_states(x, w_x, w_h, b), student.rnn_states(other, w_x, w_h, b)

    assert tuple(states.shape) == (6, 4), f"the states have shape {tuple(states.shape)}, not (6, 4)"
    assert torch.allclose(states[:3], others[:3]), (
        "the first three tokens are the same, but the first three states are not"
    )
    for t in range(3, 6):
        assert not torch.allclose(states[t], others[t]), (
            f"the fourth token is another one, but state {t + 1} is the same"
        )


@pytest.mark.weight(2)
@pytest.mark.parametrize("batch", [(2,), (2, 4)])
def test_each_sequence_of_a_batch_is_read_by_itself(student, batch):
    """A batch gives for each of its sequences what that sequence gives alone."""
    x, w_x, w_h, b = drawn(2, (*batch, 5, 3), (3, 4), (4, 4), (4,))

    together = student.rnn_states(x, w_x, w_h, b)
    elsewhere = student.rnn_states(x, w_x, -w_h, b)

    assert tuple(together.shape) == (*batch, 5, 4), (
        f"the states have shape {tuple(together.shape)}, not {(*batch, 5, 4)}"
    )
    assert together.std(dim=-2).min() > 1e-6, (
        "the tokens of a sequence differ, but its states are all the same"
    )
    assert not torch.allclose(together, elsewhere), "w_h was changed, but the states are the same"
    for sequence, states in zip(x.reshape(-1, 5, 3), together.reshape(-1, 5, 4), strict=True):
        alone = student.rnn_states(sequence, w_x, w_h, b)
        assert torch.allclose(states, alone), (
            f"a sequence gives in a batch\n{states}\nbut alone\n{alone}"
        )


def test_states_live_where_the_tokens_do(portable):
    """On another device than the CPU nothing is made on the CPU: h_0 neither."""
    x, w_x, b = drawn(3, (5, 3), (3, 4), (4,))

    states = portable.rnn_states(x, w_x, torch.zeros(4, 4, dtype=x.dtype), b)

    assert torch.allclose(states, torch.tanh(x @ w_x + b)), (
        "with a w_h of zeros, no state should hear of the one before it"
    )
