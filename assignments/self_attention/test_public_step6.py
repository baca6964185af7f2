"""Public checks of step 6: all steps together."""

import numpy as np
import pytest

pytestmark = [pytest.mark.question("self_attention"), pytest.mark.weight(2)]


def attend(student, x, w_q, w_k, w_v):
    """The student's output and weights, after a look at how many there are."""
    answer = student.self_attention(x, w_q, w_k, w_v)
    assert isinstance(answer, (tuple, list)), (
        f"expected output, weights, got one {type(answer).__name__}"
    )
    assert len(answer) == 2, f"expected output, weights, got {len(answer)} results"
    return answer


def test_the_paper_example_of_step_6(student):
    """The example of the README comes out as on paper."""
    x = np.array([[1.0, 0.0, 1.0], [0.0, 1.0, 1.0]])
    w_q = np.array([[1.0, 0.0, 0.0, 1.0], [0.0, 2.0, 0.0, 0.0], [0.0, 0.0, 1.0, 0.0]])
    w_k = np.array([[0.0, 2.0, 0.0, 0.0], [2.0, 0.0, 0.0, 0.0], [0.0, 0.0, 1.0, 1.0]])
    w_v = np.array([[0.0], [10.0], [10.0]])

    output, weights = attend(student, x, w_q, w_k, w_v)

    assert np.shape(output) == (2, 1), f"the output has shape {np.shape(output)}, not (2, 1)"
    assert np.shape(weights) == (2, 2), f"the weights have shape {np.shape(weights)}, not (2, 2)"
    assert np.allclose(weights, [[0.2689, 0.7311], [0.8808, 0.1192]], atol=1e-4), (
        f"expected the weights [[0.2689, 0.7311], [0.8808, 0.1192]], got {weights}"
    )
    assert np.allclose(output, [[17.311], [11.192]], atol=1e-3), (
        f"expected the output [[17.311], [11.192]], got {output}"
    )


def test_the_output_is_a_mean_of_the_values(student):
    """Each row of weights sums to 1, and they mix the values, as x times w_v gives them."""
    rng = np.random.default_rng(11)
    x = rng.normal(size=(5, 6))
    w_q, w_k = rng.normal(size=(2, 6, 3))
    w_v = np.eye(6)[:, :2]  # so that the values are the first two columns of x

    output, weights = attend(student, x, w_q, w_k, w_v)

    assert np.shape(output) == (5, 2), f"the output has shape {np.shape(output)}, not (5, 2)"
    assert np.shape(weights) == (5, 5), f"the weights have shape {np.shape(weights)}, not (5, 5)"
    sums = np.sum(weights, axis=-1)
    assert np.allclose(sums, 1), f"the sums over the keys are not 1: {sums}"
    for i in range(5):
        expected = sum(weights[i][j] * x[j, :2] for j in range(5))
        assert np.allclose(output[i], expected), (
            f"with your own weights, output {i} should be {expected}, got {output[i]}"
        )


@pytest.mark.parametrize("batch", [(2,), (2, 4)])
def test_each_sequence_of_a_batch_attends_to_itself_only(student, batch):
    """A batch gives for each of its sequences what that sequence gives alone."""
    rng = np.random.default_rng(12)
    x = rng.normal(size=(*batch, 5, 6))
    w_q, w_k, w_v = (rng.normal(size=(6, width)) for width in (3, 3, 2))

    output, weights = attend(student, x, w_q, w_k, w_v)

    assert np.shape(output) == (*batch, 5, 2), (
        f"the output has shape {np.shape(output)}, not {(*batch, 5, 2)}"
    )
    assert np.shape(weights) == (*batch, 5, 5), (
        f"the weights have shape {np.shape(weights)}, not {(*batch, 5, 5)}"
    )
    assert np.all(np.std(weights, axis=-1) > 1e-6), (
        "the tokens of a sequence differ, but every weight in a row is the same"
    )
    for index in np.ndindex(*batch):
        output_alone, weights_alone = attend(student, x[index], w_q, w_k, w_v)
        assert np.allclose(output[index], output_alone), (
            f"the output of sequence {index} is not the same in a batch as alone"
        )
        assert np.allclose(weights[index], weights_alone), (
            f"the weights of sequence {index} are not the same in a batch as alone"
        )
