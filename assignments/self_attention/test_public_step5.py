"""Public checks of step 5: a weighted mean of the values."""

import numpy as np
import pytest

pytestmark = [pytest.mark.question("output"), pytest.mark.weight(2)]


def test_the_paper_example_of_step_5(student):
    """The example of the README comes out as on paper."""
    weights = np.array([[0.2689, 0.7311], [0.8808, 0.1192]])
    v = np.array([[10.0], [20.0]])

    output = student.attention_output(weights, v)

    assert np.shape(output) == (2, 1), f"the output has shape {np.shape(output)}, not (2, 1)"
    assert np.allclose(output, [[17.311], [11.192]]), f"expected [[17.311], [11.192]], got {output}"


def test_all_weight_on_one_key_returns_its_value(student):
    """A row of weights that is 1 for one key and 0 elsewhere reads out that key's value."""
    v = np.random.default_rng(9).normal(size=(4, 3))
    picked = [2, 0, 3, 3, 1]
    weights = np.eye(4)[picked]

    output = student.attention_output(weights, v)

    assert np.shape(output) == (5, 3), f"the output has shape {np.shape(output)}, not (5, 3)"
    assert np.allclose(output, v[picked]), (
        f"all weight is on keys {picked}, but the output is not their values:\n{output}"
    )


@pytest.mark.parametrize("batch", [(2,), (2, 4)])
def test_each_sequence_of_a_batch_is_mixed_by_itself(student, batch):
    """A batch gives for each of its sequences what that sequence gives alone."""
    rng = np.random.default_rng(10)
    weights = rng.dirichlet(np.ones(3), size=(*batch, 5))
    v = rng.normal(size=(*batch, 3, 6))

    together = student.attention_output(weights, v)

    assert np.shape(together) == (*batch, 5, 6), (
        f"the output has shape {np.shape(together)}, not {(*batch, 5, 6)}"
    )
    assert np.all(np.std(together, axis=-2) > 1e-6), (
        "every query has weights of its own, but the outputs are the same for all of them"
    )
    for index in np.ndindex(*batch):
        alone = student.attention_output(weights[index], v[index])
        assert np.allclose(together[index], alone), (
            f"the output of sequence {index} is not the same in a batch as alone"
        )
