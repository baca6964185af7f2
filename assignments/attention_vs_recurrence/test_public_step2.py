"""Public checks of step 2: all tokens at once."""

import pytest
import torch

pytestmark = pytest.mark.question("attention")


def drawn(seed, *sizes):
    """Random tensors of these sizes, in double precision; the same numbers each time."""
    generator = torch.Generator().manual_seed(seed)
    return [torch.randn(size, generator=generator, dtype=torch.float64) for size in sizes]


def attend(student, x, w_q, w_k, w_v):
    """The student's output and weights, after a look at how many there are and at their shapes."""
    answer = student.self_attention(x, w_q, w_k, w_v)
    assert isinstance(answer, (tuple, list)), (
        f"expected output, weights, got one {type(answer).__name__}"
    )
    assert len(answer) == 2, f"expected output, weights, got {len(answer)} results"
    expected = (*x.shape[:-1], w_v.shape[-1]), (*x.shape[:-1], x.shape[-2])
    for name, one, shape in zip(("output", "weights"), answer, expected, strict=True):
        assert tuple(one.shape) == shape, f"the {name} has shape {tuple(one.shape)}, not {shape}"
    return answer


def differ(output, weights):
    """Tokens that differ have outputs that differ, and weigh other tokens unlike each other."""
    assert weights.std(dim=-1).min() > 1e-6, (
        "the tokens of a sequence differ, but every weight in a row is the same"
    )
    assert output.std(dim=-2).min() > 1e-6, (
        "the tokens of a sequence differ, but their outputs are all the same"
    )


@pytest.mark.weight(2)
def test_the_paper_example_of_step_2(student):
    """The example of the README comes out as on paper."""
    w_q = torch.tensor([[1.0, 1.0, 1.0, 1.0], [0.0, 0.0, 0.0, 0.0]])
    w_k, w_v = w_q.flip(0), torch.tensor([[10.0], [20.0]])

    output, weights = attend(student, torch.eye(2), w_q, w_k, w_v)

    assert torch.allclose(weights, torch.tensor([[0.1192, 0.8808], [0.5, 0.5]]), atol=1e-4), (
        f"expected the weights [[0.1192, 0.8808], [0.5, 0.5]], got {weights.tolist()}"
    )
    assert torch.allclose(output, torch.tensor([[18.808], [15.0]]), atol=1e-3), (
        f"expected the output [[18.808], [15]], got {output.tolist()}"
    )


@pytest.mark.weight(2)
def test_the_output_is_a_mean_of_the_values(student):
    """Each row of weights sums to 1, and they mix the values, as x times w_v gives them."""
    x, w_q, w_k = drawn(3, (5, 6), (6, 3), (6, 3))
    w_v = torch.eye(6, dtype=torch.float64)[:, :2]  # so that the values are x's first two columns

    output, weights = attend(student, x, w_q, w_k, w_v)

    sums = weights.sum(dim=-1)
    assert torch.allclose(sums, torch.ones_like(sums)), f"the rows of weights sum to {sums}, not 1"
    for i in range(5):
        expected = sum(weights[i, j] * x[j, :2] for j in range(5))
        assert torch.allclose(output[i], expected), (
            f"with your own weights, output {i} should be {expected}, got {output[i]}"
        )


@pytest.mark.weight(2)
def test_public_order_of_the_tokens_is_the_order_of_the_outputs(student):
    """Tokens in another order give the same outputs in that order: there is no first token."""
    x, w_q, w_k, w_v = drawn(4, (5, 6), (6, 3), (6, 3), (6, 2))
    order = torch.tensor([3, 0, 4, 1, 2])

    output, weights = attend(student, x, w_q, w_k, w_v)
    output_after, weights_after = attend(student, x[order], w_q, w_k, w_v)

    differ(output, weights)
    assert torch.allclose(output[order], output_after), (
        f"tokens in the order {order.tolist()} gave\n{output_after}\nnot\n{output[order]}"
    )
    assert torch.allclose(weights[order][:, order], weights_after), (
        "tokens in another order do not give the same weights in that order"
    )


@pytest.mark.weight(2)
@pytest.mark.parametrize("batch", [(2,), (2, 4)])
def test_each_sequence_of_a_batch_attends_to_itself_only(student, batch):
    """A batch gives for each of its sequences what that sequence gives alone."""
    x, w_q, w_k, w_v = drawn(5, (*batch, 5, 6), (6, 3), (6, 3), (6, 2))

    output, weights = attend(student, x, w_q, w_k, w_v)

    differ(output, weights)
    sequences = x.reshape(-1, 5, 6), output.reshape(-1, 5, 2), weights.reshape(-1, 5, 5)
    for sequence, of_output, of_weights in zip(*sequences, strict=True):
        output_alone, weights_alone = attend(student, sequence, w_q, w_k, w_v)
        assert torch.allclose(of_output, output_alone), (
            f"a sequence gives in a batch the output\n{of_output}\nbut alone\n{output_alone}"
        )
        assert torch.allclose(of_weights, weights_alone), (
            f"a sequence has in a batch the weights\n{of_weights}\nbut alone\n{weights_alone}"
        )


def test_results_live_where_the_tokens_do(portable):
    """On another device than the CPU nothing is made on the CPU: no mask and no buffer."""
    x, w_q, w_k, w_v = drawn(7, (12, 6), (6, 4), (6, 4), (6, 2))

    output, weights = attend(portable, x, w_q, w_k, w_v)

    assert torch.allclose(output, weights @ (x @ w_v)), (
        f"your weights mix the values to\n{weights @ (x @ w_v)}\nbut your output is\n{output}"
    )
    differ(output, weights)
