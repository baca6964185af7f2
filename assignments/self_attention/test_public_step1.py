"""Public checks of step 1: queries, keys and values."""

import numpy as np
import pytest

pytestmark = [pytest.mark.question("projections"), pytest.mark.weight(2)]


def project(student, x, w_q, w_k, w_v):
    """The student's q, k and v, after a look at how many there are."""
    answer = student.project_qkv(x, w_q, w_k, w_v)
    assert isinstance(answer, (tuple, list)), f"expected q, k, v, got one {type(answer).__name__}"
    assert len(answer) == 3, f"expected q, k, v, got {len(answer)} results"
    return answer


def test_the_paper_example_of_step_1(student):
    """The example of the README comes out as on paper."""
    x = np.array([[1.0, 0.0, 1.0], [0.0, 1.0, 1.0]])
    w_q = np.array([[1.0, 0.0, 0.0, 1.0], [0.0, 2.0, 0.0, 0.0], [0.0, 0.0, 1.0, 0.0]])
    w_k = np.array([[0.0, 2.0, 0.0, 0.0], [2.0, 0.0, 0.0, 0.0], [0.0, 0.0, 1.0, 1.0]])
    w_v = np.array([[0.0], [10.0], [10.0]])

    q, k, v = project(student, x, w_q, w_k, w_v)

    for name, got, expected in (
        ("q", q, [[1, 0, 1, 1], [0, 2, 1, 0]]),
        ("k", k, [[0, 2, 1, 1], [2, 0, 1, 1]]),
        ("v", v, [[10], [20]]),
    ):
        assert np.shape(got) == np.shape(expected), (
            f"{name} has shape {np.shape(got)}, not {np.shape(expected)}"
        )
        assert np.allclose(got, expected), f"{name} is {np.asarray(got)}, not {expected}"


def test_a_one_hot_token_picks_one_row_of_each_matrix(student):
    """A token that is 1 in one place and 0 elsewhere reads out that row of each weight matrix."""
    rng = np.random.default_rng(1)
    w_q, w_k, w_v = (rng.normal(size=(6, width)) for width in (3, 3, 2))
    picked = [4, 0, 5, 1]
    x = np.eye(6)[picked]

    projected = project(student, x, w_q, w_k, w_v)

    for name, got, matrix in zip("qkv", projected, (w_q, w_k, w_v), strict=True):
        expected = matrix[picked]
        assert np.shape(got) == expected.shape, (
            f"{name} has shape {np.shape(got)}, not {expected.shape}"
        )
        assert np.allclose(got, expected), (
            f"tokens {picked} are one-hot, but {name} is not rows {picked} of w_{name}:\n{got}"
        )


@pytest.mark.parametrize("batch", [(2,), (2, 4)])
def test_each_sequence_of_a_batch_is_projected_by_itself(student, batch):
    """A batch gives for each of its sequences what that sequence gives alone."""
    rng = np.random.default_rng(2)
    x = rng.normal(size=(*batch, 5, 6))
    weights, others = ([rng.normal(size=(6, width)) for width in (3, 3, 2)] for _ in range(2))

    together = project(student, x, *weights)
    elsewhere = project(student, x, *others)

    for name, got, other, matrix in zip("qkv", together, elsewhere, weights, strict=True):
        expected = (*batch, 5, matrix.shape[1])
        assert np.shape(got) == expected, f"{name} has shape {np.shape(got)}, not {expected}"
        assert not np.allclose(got, np.ravel(got)[0]), (
            f"the tokens are random, but every value of {name} is the same: {np.ravel(got)[0]}"
        )
        assert not np.array_equal(got, other), f"w_{name} was changed, but {name} is still the same"
    for index in np.ndindex(*batch):
        alone = project(student, x[index], *weights)
        for name, got, one in zip("qkv", together, alone, strict=True):
            expected = np.shape(got)[len(batch) :]
            assert np.shape(one) == expected, f"{name} has shape {np.shape(one)}, not {expected}"
            assert np.allclose(got[index], one), (
                f"{name} of sequence {index} is not the same in a batch as alone"
            )
